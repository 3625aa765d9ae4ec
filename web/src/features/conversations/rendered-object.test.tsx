import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setDebugMode } from '@/lib/debug-mode';
import { resetDisplayObjects } from '@/stores/display-objects-store';
import { columnChart, salesColumns, salesCsv } from '@/testing/fixtures/components';
import { renderView } from '@/testing/fixtures/components/render-view';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { RenderedObject } from './rendered-object';

const me = vi.hoisted(() => ({ user: { isSuperuser: false } }));
vi.mock('@/stores/me-store', async (original) => {
  const { proxy } = await import('valtio');
  return { ...(await original<object>()), meState: proxy(me) };
});
vi.mock('@/components/chart/highcharts', () => ({
  chart: () => ({ destroy: () => undefined }),
  addEvent: () => undefined,
}));

const table = { id: 't1', name: 'Sales by month.csv', type: 'csv', size: 300, columns: salesColumns };
const chart = { id: 'c1', name: 'Revenue', type: 'highcharts', size: 300 };

function show(object: typeof table | typeof chart) {
  return renderView(<RenderedObject object={object} onNotice={() => undefined} />);
}

describe('RenderedObject', () => {
  beforeEach(() => {
    resetDisplayObjects();
    setDebugMode(false);
    server.use(
      http.get(api('discourse/displayobjects/t1/content'), () => HttpResponse.text(salesCsv)),
      http.get(api('discourse/displayobjects/c1/content'), () => HttpResponse.json(columnChart)),
    );
  });

  it('shows a table with the units of its columns', async () => {
    show(table);
    expect(await screen.findByRole('gridcell', { name: '€1,754,310.30' })).toBeVisible();
  });

  it('offers the table in other formats', async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get(api('discourse/displayobjects/t1/content'), ({ request }) => {
        const format = new URL(request.url).searchParams.get('format');
        asked.push(format);
        return format === null ? HttpResponse.text(salesCsv) : problem(422, 'invalid', 'not today');
      }),
    );
    const user = userEvent.setup();
    show(table);
    await user.click(await screen.findByRole('button', { name: 'More for Sales by month.csv' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Download as XLSX' }));
    await vi.waitFor(() => expect(asked).toEqual([null, 'xlsx']));
  });

  it('makes a connector of the table, and says what the server finds fault with', async () => {
    let sent: Record<string, unknown> = {};
    let fails = true;
    server.use(
      http.post(api('memory/file/datasources'), async ({ request }) => {
        sent = Object.fromEntries(await request.formData());
        return fails
          ? problem(422, 'invalid', 'Try another one.')
          : HttpResponse.json({ id: 7, name: 'Sales' }, { status: 201 });
      }),
      http.get(api('memory/datasources'), () =>
        HttpResponse.json({ results: [], pagination: { count: 0, next: null } }),
      ),
    );
    const user = userEvent.setup();
    show(table);
    await user.click(await screen.findByRole('button', { name: 'More for Sales by month.csv' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Make a connector from this table' }));
    const name = await screen.findByLabelText(/^Name/u);
    expect(name).toHaveValue('Sales by month');
    await user.clear(name);
    await user.click(screen.getByRole('button', { name: 'Create connector' }));
    expect(await screen.findByText('Please enter a valid name')).toBeVisible();
    await user.type(name, 'Sales');
    await user.click(screen.getByRole('button', { name: 'Create connector' }));
    expect(await screen.findByText('Try another one.')).toBeVisible();
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Create connector' }));
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toMatchObject({ display_object_id: 't1', name: 'Sales', scope: 'user', type: 'csv' });
  });

  it.each([
    ['shows the raw data of a chart to superusers in debug mode', true, true, true],
    ['shows it to no superuser without debug mode', true, false, false],
    ['shows it to nobody else', false, true, false],
  ])('%s', async (_, isSuperuser, isDebugging, isShown) => {
    const { meState } = await import('@/stores/me-store');
    (meState as unknown as typeof me).user = { isSuperuser };
    setDebugMode(isDebugging);
    show(chart);
    expect(await screen.findByText('Revenue by month')).toBeVisible();
    expect(screen.queryByText('Raw chart data') !== null).toBe(isShown);
  });
});
