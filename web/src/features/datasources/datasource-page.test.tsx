import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { loadDataSource } from '@/stores/datasources-store/change';
import { dataSources, loadDataSources, resetDataSources } from '@/stores/datasources-store/sources';
import { resetProjectLabels } from '@/stores/project-labels-store';
import { factsState, resetFacts } from '@/stores/facts-store';
import { resetMeaning } from '@/stores/meaning-store';
import { dataSourceOf, factsOf, meaningOf } from '@/testing/fixtures/wire';
import { blank } from '@/testing/fixtures/blank';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Component as DataSourcePage } from './datasource-page';

const table = {
  id: 7,
  name: 'orders',
  description: '',
  details: 'day: when it was ordered',
  columns: [],
  preview: 'day,shop\n2026-01-01,Lisbon\n',
  rows: 3,
};
const held = dataSourceOf({ id: 1, name: 'Orders', version: 5, dataResourceSet: [table] });
const routes = {
  '/datasource/:dataSourceId': <DataSourcePage />,
  '/:list/:dataSourceId/edit': <DataSourcePage />,
};

beforeEach(() => {
  resetDataSources();
  resetProjectLabels();
  resetFacts();
  resetMeaning();
  vi.spyOn(notify, 'error').mockReturnValue();
  vi.spyOn(notify, 'success').mockReturnValue();
  server.use(
    http.get(api('discourse/projectlabels'), () => page([])),
    http.get(api('memory/datasources/type'), () => page([])),
    http.get(api('memory/datasources'), () => page([held])),
    http.get(api('memory/datasources/1'), () => HttpResponse.json(held)),
    http.get(api('memory/datasources/1/facts'), () => HttpResponse.json(factsOf({ status: 'pending' }))),
    http.get(api('memory/datasources/1/meaning'), () => HttpResponse.json(meaningOf())),
  );
});

describe('a connector that is loaded', () => {
  it.each([404, 403])('is shown no more when the server answers %i', async (status) => {
    await loadDataSources();
    await loadDataSource(1);
    server.use(http.get(api('memory/datasources/1'), () => problem(status, 'x', 'x')));
    renderAt('/datasource/1', routes);
    await screen.findByText('Connector not found');
    expect(screen.queryByText('Lisbon')).toBeNull();
    expect(dataSources.state.byId).toEqual({});
    expect(dataSources.state.details[1]).toEqual({ status: 'gone', entity: null });
  });

  it('stays when the server cannot be asked', async () => {
    await loadDataSource(1);
    server.use(http.get(api('memory/datasources/1'), () => problem(503, 'x', 'x')));
    await loadDataSource(1);
    expect(dataSources.state.details[1]).toMatchObject({ status: 'failed', entity: { id: 1 } });
    expect(notify.error).toHaveBeenCalledWith('Failed to fetch data source 1');
  });
});

describe('what was measured of a connector', () => {
  const measured = factsOf({
    changes: [
      {
        kind: 'key_lost',
        table: 'orders',
        columns: ['customer_id'],
        toTable: '',
        toColumns: [],
        repeated: 3,
        missing: 0,
        orphans: 0,
        text: '',
      },
      {
        ...blank('FactChange'),
        kind: 'panel_lost',
        table: 'seats',
        columns: ['account_id'],
        toColumns: ['month'],
      },
    ],
  });

  it('is shown with what is different', async () => {
    server.use(http.get(api('memory/datasources/1/facts'), () => HttpResponse.json(measured)));
    renderAt('/datasource/1', routes);
    expect(
      await screen.findByText(
        /^customer_id no longer identifies each row of orders: 3 values are in several rows/u,
      ),
    ).toBeVisible();
    expect(screen.getByText('seats no longer follows each account_id over its month.')).toBeVisible();
  });

  it('is nothing if there is nothing to say', async () => {
    server.use(http.get(api('memory/datasources/1/facts'), () => HttpResponse.json(factsOf())));
    renderAt('/datasource/1', routes);
    await screen.findByText('Lisbon');
    await waitFor(() => expect(factsState.byId[1]).toBeDefined());
    expect(screen.queryByText('What was measured')).toBeNull();
  });

  it('says that it is not measured yet, and nothing if the server cannot be asked', async () => {
    const { unmount } = renderAt('/datasource/1', routes);
    expect(await screen.findByText('The file is being measured.')).toBeVisible();
    unmount();
    resetFacts();
    server.use(http.get(api('memory/datasources/1/facts'), () => problem(503, 'x', 'x')));
    renderAt('/datasource/1', routes);
    await screen.findByText('Lisbon');
    expect(screen.queryByText('What was measured')).toBeNull();
  });
});

describe('the page of a connector', () => {
  const visits = { ...table, id: 8, name: 'visits', preview: 'day,city\n2026-01-01,Porto\n' };

  it('has General and a part for each table, and leads to a conversation', async () => {
    const whole = dataSourceOf({ id: 1, name: 'Orders', size: 1200, dataResourceSet: [table, visits] });
    server.use(http.get(api('memory/datasources/1'), () => HttpResponse.json(whole)));
    const { user } = renderAt('/datasource/1', routes);
    await screen.findByRole('heading', { level: 1, name: 'Orders' });
    for (const name of [/^General/u, /^orders/u, /^visits/u]) {
      expect(screen.getByRole('tab', { name })).toBeVisible();
    }
    expect(screen.getByText('orders.csv')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: /^visits/u }));
    expect(await screen.findByText('Porto')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Start new conversation' })).toHaveAttribute(
      'href',
      '/conversations/new?dataSources%5B%5D=1',
    );
    expect(screen.getByRole('link', { name: 'Edit' })).toHaveAttribute('href', '/datasource/1/edit');
  });

  it('offers others than the owner nothing that they may not do, and says why', async () => {
    const none = { edit: false, delete: false, archive: false, download: false, manageAccess: false };
    const theirs = dataSourceOf({
      permission: 'read',
      hasFile: false,
      abilities: { ...held.abilities, ...none },
    });
    server.use(http.get(api('memory/datasources/1'), () => HttpResponse.json(theirs)));
    const { user } = renderAt('/datasource/1', routes);
    await user.click(await screen.findByRole('button', { name: 'More actions' }));
    for (const [name, reason] of [
      [/^Edit/u, 'Only the owner can edit it.'],
      [/^Download/u, 'There is no file of this connector to download.'],
      [/^Archive/u, 'Only the owner can archive it.'],
      [/^Delete/u, 'Only the owner can delete it.'],
    ] as const) {
      const entry = await screen.findByRole('menuitem', { name });
      expect(entry).toHaveAttribute('aria-disabled', 'true');
      expect(entry).toHaveTextContent(reason);
    }
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
  });

  it('tells an owner which connectors nobody archives, downloads or deletes', async () => {
    const none = { delete: false, archive: false, download: false };
    const own = dataSourceOf({
      permission: 'owner',
      scope: 'organization',
      hasFile: true,
      abilities: { ...held.abilities, ...none },
    });
    server.use(http.get(api('memory/datasources/1'), () => HttpResponse.json(own)));
    const { user } = renderAt('/datasource/1', routes);
    await user.click(await screen.findByRole('button', { name: 'More actions' }));
    for (const [name, reason] of [
      [/^Download/u, 'The file of a connector of this type cannot be downloaded.'],
      [/^Archive/u, 'A connector of this type cannot be archived.'],
      [/^Delete/u, 'Only an owner who is an administrator can delete what the whole organization uses.'],
    ] as const) {
      expect(await screen.findByRole('menuitem', { name })).toHaveTextContent(reason);
    }
  });

  it('says where there are no tables', async () => {
    server.use(http.get(api('memory/datasources/1'), () => HttpResponse.json(dataSourceOf())));
    renderAt('/datasource/1', routes);
    expect(await screen.findByText('No data available for this datasource.')).toBeVisible();
  });
});

describe('editing a connector', () => {
  /** A server that counts versions, and refuses a change of an older one. */
  function serve() {
    const now = { ...held };
    const sent: number[] = [];
    const dictionary = { fails: true };
    server.use(
      http.put(api('memory/datasources/1'), async ({ request }) => {
        const input = (await request.json()) as { name: string; version: number };
        sent.push(input.version);
        if (input.version !== now.version) return problem(409, 'D409', 'Somebody else has changed it.');
        Object.assign(now, { name: input.name, version: now.version + 1 });
        return HttpResponse.json(now);
      }),
      http.patch(api('memory/dataresources/7'), async ({ request }) => {
        if (dictionary.fails) return problem(500, 'I500', 'no');
        const { details } = (await request.json()) as { details: string };
        Object.assign(now, { version: now.version + 1, dataResourceSet: [{ ...table, details }] });
        return HttpResponse.json(now);
      }),
    );
    return { now, sent, dictionary };
  }

  it('continues from its own change when the dictionary failed after it', async () => {
    const { sent, dictionary } = serve();
    const { user } = renderAt('/datasources/1/edit', routes);
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await user.type(name, ' one');
    await user.type(screen.getByLabelText('Data dictionary'), ', by whom');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await vi.waitFor(() => expect(notify.error).toHaveBeenCalledOnce());
    dictionary.fails = false;
    await user.type(name, ' two');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await vi.waitFor(() => expect(sent).toEqual([5, 6]));
    await screen.findByRole('heading', { name: 'Orders one two' });
  });

  it('does not write over what somebody else has changed meanwhile', async () => {
    const { now, sent } = serve();
    const { user } = renderAt('/datasources/1/edit', routes);
    const name = await screen.findByRole('textbox', { name: 'Name' });
    now.version = 6;
    await user.type(name, ' mine');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await vi.waitFor(() => expect(notify.error).toHaveBeenCalledOnce());
    await user.click(await screen.findByRole('button', { name: 'Save changes' }));
    await vi.waitFor(() => expect(notify.error).toHaveBeenCalledTimes(2));
    expect([...new Set(sent)]).toEqual([5]);
    expect(now.name).toBe('Orders');
  });
});

describe('whom a connector is shared with', () => {
  const grant = (id: number, name: string, permission: 'read' | 'owner' = 'read') => ({
    actor: { type: 'user' as const, id, name, picture: '' },
    permission,
  });
  const owner = grant(1, 'Ada Lindqvist', 'owner');
  const permissions = [
    owner,
    grant(2, 'Ben Ames'),
    grant(3, 'Cleo Marsh'),
    grant(4, 'Dan Ito'),
    grant(5, 'Eve Sol'),
  ];

  it('is shown without a call of its own, leads to who has access, and follows what is changed there', async () => {
    const actors = api('memory/datasources/1/actors');
    const asked = vi.fn();
    server.use(
      http.get(api('memory/datasources/1'), () => HttpResponse.json({ ...held, permissions })),
      http.get(api('user/shareable-entities'), () => page([])),
      http.get(actors, () => {
        asked();
        return page(permissions);
      }),
      http.put(actors, () => page(permissions.slice(0, 4))),
    );
    const { user } = renderAt('/datasource/1', routes);
    const stack = await screen.findByRole('button', {
      name: 'Shared with Ben Ames, Cleo Marsh, Dan Ito, and Eve Sol',
    });
    await vi.waitFor(() => expect(stack).toHaveTextContent(/^BACMDI\+1$/u));
    expect(asked).not.toHaveBeenCalled();
    await user.click(stack);
    await user.click(await screen.findByRole('button', { name: 'Remove Eve Sol' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(stack).toHaveAccessibleName('Shared with Ben Ames, Cleo Marsh, and Dan Ito');
    await vi.waitFor(() => expect(stack).toHaveTextContent(/^BACMDI$/u));
  });

  it('is a list to read for others than its owner, and nothing when nobody has access', async () => {
    const abilities = { ...held.abilities, manageAccess: false };
    server.use(
      http.get(api('memory/datasources/1'), () => HttpResponse.json({ ...held, abilities, permissions })),
      http.get(api('memory/datasources/1/actors'), () => page(permissions)),
    );
    const { user, unmount } = renderAt('/datasource/1', routes);
    await user.click(await screen.findByRole('button', { name: /^Shared with/u }));
    expect(await screen.findByText('Eve Sol')).toBeVisible();
    expect(screen.queryByRole('combobox')).toBeNull();
    unmount();
    resetDataSources();
    server.use(
      http.get(api('memory/datasources/1'), () => HttpResponse.json({ ...held, permissions: [owner] })),
    );
    renderAt('/datasource/1', routes);
    await screen.findByRole('heading', { level: 1, name: 'Orders' });
    expect(screen.queryByRole('button', { name: /^Shared with/u })).toBeNull();
  });
});
