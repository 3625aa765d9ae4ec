import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { loadDataSource } from '@/stores/datasources-store/change';
import { dataSources, loadDataSources, resetDataSources } from '@/stores/datasources-store/sources';
import { resetProjectLabels } from '@/stores/project-labels-store';
import { dataSourceOf } from '@/testing/fixtures/wire';
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
  vi.spyOn(notify, 'error').mockReturnValue();
  vi.spyOn(notify, 'success').mockReturnValue();
  server.use(
    http.get(api('discourse/projectlabels'), () => page([])),
    http.get(api('memory/datasources/type'), () => page([])),
    http.get(api('memory/datasources'), () => page([held])),
    http.get(api('memory/datasources/1'), () => HttpResponse.json(held)),
  );
});

describe('a connector that is held', () => {
  it.each([404, 403])('is shown no more where the server answers %i', async (status) => {
    await loadDataSources();
    await loadDataSource(1);
    server.use(http.get(api('memory/datasources/1'), () => problem(status, 'x', 'x')));
    renderAt('/datasource/1', routes);
    await screen.findByText('Connector not found');
    expect(screen.queryByText('Lisbon')).toBeNull();
    expect(dataSources.state.byId).toEqual({});
    expect(dataSources.state.details[1]).toEqual({ status: 'gone', entity: null });
  });

  it('stays where the server cannot be asked', async () => {
    await loadDataSource(1);
    server.use(http.get(api('memory/datasources/1'), () => problem(503, 'x', 'x')));
    await loadDataSource(1);
    expect(dataSources.state.details[1]).toMatchObject({ status: 'failed', entity: { id: 1 } });
    expect(notify.error).toHaveBeenCalledWith('Failed to fetch data source 1');
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

  it('goes on from its own change, where the dictionary failed after it', async () => {
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
