import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadDataSources, resetDataSources } from '@/stores/datasources-store/sources';
import { resetProjectLabels } from '@/stores/project-labels-store';
import { dataSourceOf } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Component as DataSourcesPage } from './datasources-page';

const routes = { '/datasources': <DataSourcesPage />, '/datasource/:id': 'the connector' };
const project = { id: 4, name: 'Fewer returns', color: 'Teal blue' };
const orders = dataSourceOf({ projectLabels: [project] });
const tickets = dataSourceOf({
  id: 2,
  name: 'Tickets',
  description: 'What customers ask about orders.',
  scope: 'organization',
  permission: 'read',
  isFavorite: true,
});

/** The names of the cards, in their order. */
function names(): string[] {
  const list = screen.getByRole('list', { name: 'Connectors' });
  return within(list)
    .queryAllByRole('article')
    .map((card) => card.getAttribute('aria-label') ?? '');
}

function table(id: number, name: string, preview: string) {
  return { id, name, description: '', details: '', columns: [], preview, rows: 3 };
}

beforeEach(async () => {
  resetDataSources();
  resetProjectLabels();
  server.use(
    http.get(api('memory/datasources'), () => page([orders, tickets])),
    http.get(api('memory/datasources/type'), () => page([])),
    http.get(api('discourse/projectlabels'), () => page([project])),
  );
  await loadDataSources();
});

describe('DataSourcesPage', () => {
  it('narrows to a segment', async () => {
    const { user } = renderAt('/datasources', routes);
    expect(names()).toEqual(['Orders', 'Tickets']);
    const segments = screen.getByRole('radiogroup', { name: 'Filter' });
    expect(
      within(segments)
        .getAllByRole('radio')
        .map((one) => one.textContent.replace(/^(.+)\1$/u, '$1')),
    ).toEqual(['All', 'Favorite', 'Organization', 'My connectors', 'Shared with me', 'Recent']);
    await user.click(screen.getByRole('radio', { name: 'Favorite' }));
    expect(names()).toEqual(['Tickets']);
  });

  it('says that a file cannot be read here', async () => {
    const notice = 'No converter for Tableau Hyper files is installed on this server.';
    const visits = dataSourceOf({ id: 3, name: 'Visits', type: ['hyper'], notice });
    server.use(
      http.get(api('memory/datasources'), () => page([visits])),
      http.get(api('memory/datasources/3'), () => HttpResponse.json(visits)),
    );
    resetDataSources();
    await loadDataSources();
    const { user } = renderAt('/datasources', routes);
    expect(screen.getByText(notice)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Quick view of Visits' }));
    const view = await screen.findByRole('dialog', { name: 'Quick view of Visits' });
    expect(await within(view).findByText(notice)).toBeVisible();
  });

  it('narrows to a project, and says what was asked when nothing is left', async () => {
    const { user } = renderAt('/datasources', routes);
    await user.click(screen.getByLabelText('Project'));
    await user.click(await screen.findByRole('option', { name: 'Fewer returns' }));
    expect(names()).toEqual(['Orders']);
    await user.click(screen.getByRole('radio', { name: 'Favorite' }));
    expect(screen.getByText('Asked for: in Fewer returns, under Favorite')).toBeVisible();
  });

  it('takes what it is narrowed by from the address, and writes it there', async () => {
    const { user, where } = renderAt('/datasources?filter=favorite&search=ticket&view=list', routes);
    expect(screen.getByRole('radio', { name: 'Favorite' })).toBeChecked();
    expect(screen.getByLabelText('Search connectors')).toHaveValue('ticket');
    expect(screen.getByRole('row', { name: /Tickets/u })).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'All' }));
    expect(where()).toBe('/datasources?search=ticket&view=list');
    await user.clear(screen.getByLabelText('Search connectors'));
    await expect.poll(where, { timeout: 10_000 }).toBe('/datasources?view=list');
  });

  it('searches names before descriptions, and counts what it found', async () => {
    const { user } = renderAt('/datasources', routes);
    const box = screen.getByLabelText('Search connectors');
    await user.type(box, 'ord');
    expect(names()).toEqual(['Orders', 'Tickets']);
    expect(screen.getByText('Found: 2')).toBeVisible();
    await user.type(box, 'x');
    expect(screen.getAllByText('No results found. Change search request and try again')).toHaveLength(2);
  });

  it('asks again for what is recent, because only the server knows what was asked since', async () => {
    const { user } = renderAt('/datasources', routes);
    const used = { ...orders, lastUsedAt: '2026-11-20T09:00:00.000Z' };
    server.use(http.get(api('memory/datasources'), () => page([tickets, used])));
    await user.click(screen.getByRole('radio', { name: 'Recent' }));
    expect(await screen.findByRole('article', { name: 'Orders' })).toBeVisible();
    expect(names()).toEqual(['Orders']);
  });

  it('marks a favorite, and takes the mark back when the server refuses', async () => {
    server.use(
      http.put(api('memory/datasources/1/favorite'), () => new HttpResponse(null, { status: 204 })),
      http.put(api('memory/datasources/2/favorite'), () => problem(500, 'I500', 'No.')),
    );
    const { user } = renderAt('/datasources', routes);
    const star = screen.getByRole('button', { name: 'Favorite Orders' });
    await user.click(star);
    expect(star).toHaveAttribute('aria-pressed', 'true');
    const other = screen.getByRole('button', { name: 'Favorite Tickets' });
    await user.click(other);
    expect(other).toHaveAttribute('aria-pressed', 'false');
    await expect.poll(() => other.getAttribute('aria-pressed'), { timeout: 3000 }).toBe('true');
    expect(star).toHaveAttribute('aria-pressed', 'true');
  });

  it('looks into the tables without leaving the list', async () => {
    const tables = [table(7, 'North', 'day,sum\n1,20'), table(8, 'South', 'day,kilos\n2,31')];
    server.use(
      http.get(api('memory/datasources/1'), () =>
        HttpResponse.json(dataSourceOf({ dataResourceSet: tables })),
      ),
      http.get(api('memory/datasources/2'), () => HttpResponse.json(tickets)),
    );
    const { user, where } = renderAt('/datasources', routes);
    await user.click(screen.getByRole('button', { name: 'Quick view of Orders' }));
    const view = within(screen.getByRole('dialog', { name: 'Quick view of Orders' }));
    expect(await view.findByRole('grid', { name: 'First rows of North' })).toBeVisible();
    await user.click(view.getByRole('radio', { name: 'South' }));
    expect(view.getByRole('columnheader', { name: /kilos/iu })).toBeVisible();
    expect(where()).toBe('/datasources');
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Quick view of Tickets' }));
    expect(await screen.findByText('No data available for this datasource.')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'See all details' }));
    expect(where()).toBe('/datasource/2');
  });

  it('shows rows with project and last use', async () => {
    const { user, where } = renderAt('/datasources', routes);
    await user.click(screen.getByRole('radio', { name: 'List' }));
    const row = within(screen.getByRole('row', { name: /Orders/u }));
    expect(row.getByText('Fewer returns')).toBeVisible();
    expect(row.getByText('–')).toBeVisible();
    await user.click(row.getByRole('link', { name: 'Orders' }));
    expect(where()).toBe('/datasource/1');
  });
});
