import { readFileSync } from 'node:fs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import {
  hostileCsv,
  longCsv,
  salesColumns,
  salesCsv,
  smallCsv,
  wideCsv,
} from '@/testing/fixtures/components';
import { dangerousElements, renderView } from '@/testing/fixtures/components/render-view';
import { DataTable } from './data-table';
import { tableHost, type TableRequest } from './table-host';
import type { TableWorker } from './use-large-table';

function column(name: string): string[] {
  const index = screen.getByRole('columnheader', { name }).getAttribute('aria-colindex');
  return screen
    .getAllByRole('gridcell')
    .filter((cell) => cell.getAttribute('aria-colindex') === index)
    .map((cell) => cell.textContent);
}

describe('DataTable', () => {
  it('sets amounts to the right as numbers, under their heading', () => {
    const data = 'Item,Price,Count\nPen,"€1,234.50",2\nCup,€3.00,10\n';
    renderView(<DataTable data={data} caption="Prices" locale="en" />);
    const kinds = (role: 'columnheader' | 'gridcell') =>
      screen.getAllByRole(role).map((cell) => cell.dataset['kind']);
    expect(kinds('columnheader')).toEqual(['text', 'amount', 'number']);
    expect(kinds('gridcell').slice(0, 3)).toEqual(['text', 'amount', 'number']);
    // The style sheet itself is checked, because jsdom applies no styles.
    const sheet = readFileSync('src/components/data-table/data-table.module.css', 'utf8');
    expect(sheet).toMatch(
      /\.cell:is\(\[data-kind='number'\], \[data-kind='amount'\]\) \{\s*text-align: right/u,
    );
    expect(column('Price')).toEqual(['€1,234.50', '€3.00']);
  });

  it('shows all cells of a small table', () => {
    renderView(<DataTable data={smallCsv} caption="Orders" locale="en" />);
    expect(column('City')).toEqual([
      'Berlin',
      'Porto',
      'Zürich',
      'Nice, FR',
      'Malmö',
      'Turin',
      'Łódź',
      'Aarhus',
    ]);
    expect(screen.getByText('8 rows · 7 columns')).toBeVisible();
  });

  it('formats amounts by locale, lines decimals up, and leaves identifiers and years alone', () => {
    const { unmount } = renderView(<DataTable data={smallCsv} caption="Orders" locale="en" />);
    expect(column('Revenue').slice(0, 2)).toEqual(['1,298.00', '89.50']);
    expect(column('Order ID')[0]).toBe('10482');
    expect(column('Year')[0]).toBe('2025');
    unmount();
    renderView(<DataTable data={smallCsv} caption="Orders" locale="de" />);
    expect(column('Revenue').slice(0, 2)).toEqual(['1.298,00', '89,50']);
  });

  it('aligns numbers right and text left', () => {
    renderView(<DataTable data={smallCsv} caption="Orders" />);
    expect(screen.getByText('Berlin')).toHaveAttribute('data-kind', 'text');
    expect(screen.getByText('10482')).toHaveAttribute('data-kind', 'number');
  });

  it('sorts numbers downwards first, then upwards, then not at all, blanks last', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={smallCsv} caption="Orders" />);
    const header = screen.getByRole('columnheader', { name: 'Quantity' });
    expect(header).toHaveAttribute('aria-sort', 'none');
    await user.click(within(header).getByRole('button'));
    expect(header).toHaveAttribute('aria-sort', 'descending');
    expect(column('Quantity')).toEqual(['6', '4', '3', '2', '1', '1', '1', '']);
    await user.click(within(header).getByRole('button'));
    expect(header).toHaveAttribute('aria-sort', 'ascending');
    expect(column('Quantity')).toEqual(['1', '1', '1', '2', '3', '4', '6', '']);
    await user.click(within(header).getByRole('button'));
    expect(header).toHaveAttribute('aria-sort', 'none');
    expect(column('Quantity')[0]).toBe('2');
  });

  it('sorts text as people do', async () => {
    const user = userEvent.setup();
    renderView(
      <DataTable
        data={{ columns: ['name'], rows: [['Item 10'], ['item 9'], ['Äpfel'], ['Zebra'], [null]] }}
        caption="Names"
      />,
    );
    await user.click(screen.getByRole('button', { name: 'Name' }));
    expect(column('Name')).toEqual(['Äpfel', 'item 9', 'Item 10', 'Zebra', '']);
  });

  it('scrolls after 20 rows and keeps only what is in view in the document', async () => {
    renderView(<DataTable data={longCsv(10_000)} caption="Orders" />);
    const region = await screen.findByRole('group', { name: 'Orders' });
    expect(region).toHaveStyle({ height: '400px' });
    expect(column('Order ID').length).toBeLessThan(40);
    expect(column('Order ID')[0]).toBe('1');
    region.scrollTop = 5000 * 30;
    fireEvent.scroll(region);
    expect(column('Order ID')).toContain('5001');
    expect(column('Order ID').length).toBeLessThan(40);
    expect(screen.getByText('10,000 rows · 5 columns')).toBeVisible();
    expect(screen.getByRole('grid')).toHaveAttribute('aria-rowcount', '10001');
  });

  it('does not scroll at 20 rows', () => {
    renderView(<DataTable data={longCsv(20)} caption="Orders" />);
    expect(screen.getByRole('group', { name: 'Orders' })).not.toHaveStyle({ height: '400px' });
    expect(column('Order ID')).toHaveLength(20);
  });

  it('keeps only the columns in view above 20 columns, 200 px each', async () => {
    renderView(<DataTable data={wideCsv(500)} caption="Wide" />);
    const region = await screen.findByRole('group', { name: 'Wide' });
    const names = () => screen.getAllByRole('columnheader').map((header) => header.textContent);
    expect(names().length).toBeLessThan(15);
    expect(screen.getByRole('columnheader', { name: 'Measure 1' })).toHaveStyle({ width: '200px' });
    region.scrollLeft = 300 * 200;
    fireEvent.scroll(region);
    expect(names()).toContain('Measure 301');
    expect(names()).not.toContain('Measure 2');
    expect(screen.getByRole('grid')).toHaveStyle({ width: `${500 * 200}px` });
  });

  it('shows all of 20 columns', async () => {
    renderView(<DataTable data={wideCsv(20)} caption="Twenty" />);
    expect(await screen.findAllByRole('columnheader')).toHaveLength(20);
  });

  it('I08, I12: shows markup and names of object members as text', () => {
    const { container } = renderView(<DataTable data={hostileCsv} caption="Hostile" />);
    const table = screen.getByRole('grid');
    expect(table).toHaveTextContent('<script>window.__pwned=1</script>');
    expect(table).toHaveTextContent('__proto__');
    expect(table).toHaveTextContent('toString');
    expect(table).toHaveTextContent('U+202Ednarb');
    expect(dangerousElements(container.querySelector('table')!)).toEqual([]);
    expect(({} as Record<string, unknown>)['toString']).toBe(Object.prototype.toString);
  });

  it('distinguishes texts that begin alike, and keeps them whole for the tooltip and the bar of the cell', async () => {
    const names = ['1', '2'].map((end) => `The very long product line name number ${end}`);
    const data = `product,orders\n${names.map((name) => `${name},7\n`).join('')}`;
    const { user } = {
      ...renderView(<DataTable data={data} caption="Orders" widestColumn={176} />),
      user: userEvent.setup(),
    };
    const cells = names.map((name) => screen.getByRole('gridcell', { name }));
    expect(cells.map(({ textContent }) => textContent)).toEqual([
      'The very lo…number 1',
      'The very lo…number 2',
    ]);
    expect(cells.map(({ title }) => title)).toEqual(names);
    await user.click(cells[1]!);
    expect(screen.getByRole('group', { name: 'Selected cell' })).toHaveTextContent(names[1]!);
  });

  it('leaves room for numbers beside long names', () => {
    const long = 'North Rhine-Westphalia with its surroundings';
    renderView(<DataTable data={`region,orders\n${long},7\n`} caption="Orders" widestColumn={176} />);
    expect(screen.getByRole('columnheader', { name: 'Region' })).toHaveStyle({ width: '176px' });
    expect(screen.getByRole('gridcell', { name: long })).toBeVisible();
  });

  it('says how much of the whole a cut preview shows', () => {
    renderView(<DataTable data={smallCsv.slice(0, 201)} caption="Preview" truncated totalRows={12_400} />);
    expect(screen.getByText('First 3 rows of 12,400 · 7 columns')).toBeVisible();
  });

  it('says when there is nothing', () => {
    const { rerender } = renderView(<DataTable data="" caption="Empty" />);
    expect(screen.getByText('No data')).toBeVisible();
    rerender(<DataTable data={'a,b\n'} caption="Empty" emptyText="No data available for this datasource" />);
    expect(screen.getByText('No data available for this datasource')).toBeVisible();
  });

  it('writes headings, units, months and shares as people read them, and names the SQL column', async () => {
    renderView(<DataTable data={salesCsv} shown={salesColumns} caption="Sales" locale="en" />);
    expect(column('Month')).toEqual(['Jan 2026', 'Feb 2026', 'Mar 2026']);
    expect(column('Total net sales')).toEqual(['€1,754,310.30', '-€89.50', '']);
    expect(column('Return rate')).toEqual(['13.9%', '2.0%', '25.0%']);
    await userEvent.setup().hover(screen.getByRole('button', { name: 'Total net sales' }));
    expect(await screen.findByRole('tooltip')).toHaveTextContent(
      'Total net sales · € · SQL: total_net_sales',
    );
  });

  it('is one stop of the Tab key, and arrows go from cell to cell, also to those out of sight', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={longCsv(1_000)} caption="Orders" locale="en" />);
    await user.tab();
    expect(screen.getByRole('button', { name: 'Order ID' })).toHaveFocus();
    await user.keyboard('{ArrowDown}{ArrowRight}');
    expect(document.activeElement).toHaveAttribute('data-place', '0:1');
    await user.keyboard('{ArrowUp}{Enter}');
    expect(screen.getByRole('columnheader', { name: 'City' })).toHaveAttribute('aria-sort', 'ascending');
    await user.keyboard('{Home}');
    expect(screen.getByRole('button', { name: 'Order ID' })).toHaveFocus();
    await user.tab();
    expect(screen.getByRole('grid')).not.toContainElement(document.activeElement as HTMLElement);
  });

  it('shows the selected cell in full and copies it or its row', async () => {
    const user = userEvent.setup();
    const onNotice = vi.fn();
    renderView(
      <DataTable data={salesCsv} shown={salesColumns} caption="Sales" locale="en" onNotice={onNotice} />,
    );
    await user.click(screen.getByText('€1,754,310.30'));
    const bar = screen.getByRole('group', { name: 'Selected cell' });
    expect(bar).toHaveTextContent('Total net sales€1,754,310.30');
    await user.click(within(bar).getByRole('button', { name: 'Copy cell' }));
    expect(await navigator.clipboard.readText()).toBe('1754310.3');
    await user.click(within(bar).getByRole('button', { name: 'Copy row' }));
    expect(await navigator.clipboard.readText()).toBe('2026-01-01\tNord\t100234\t1754310.3\t0.139\t1200.5\t');
    expect(onNotice).toHaveBeenLastCalledWith({ tone: 'success', text: 'Row copied' });
  });

  it('copies the cell that has the focus by the keys', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={salesCsv} shown={salesColumns} caption="Sales" locale="en" />);
    await user.click(screen.getByText('Österreich'));
    await user.keyboard('{Control>}c{/Control}');
    expect(await navigator.clipboard.readText()).toBe('Österreich');
  });

  it('keeps the first column in the document beside the window of columns', async () => {
    renderView(<DataTable data={wideCsv(500)} caption="Wide" />);
    const region = await screen.findByRole('group', { name: 'Wide' });
    region.scrollLeft = 300 * 200;
    fireEvent.scroll(region);
    expect(screen.getByRole('columnheader', { name: 'Measure 1' })).toHaveAttribute('data-first', 'true');
  });
});

/** Opens the filters and gives the input of a column. */
async function filterOf(user: ReturnType<typeof userEvent.setup>, name: string): Promise<HTMLElement> {
  const button = screen.getByRole('button', { name: /^Filter rows/u });
  if (button.getAttribute('aria-expanded') === 'false') await user.click(button);
  return screen.findByRole('textbox', { name: `Filter ${name}` });
}

describe('the filters of a DataTable', () => {
  const cities = () => column('City');

  it('are opened with a button, and keep the rows that match, without case and accents', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={smallCsv} caption="Orders" locale="en" />);
    expect(screen.queryByRole('textbox')).toBeNull();
    const city = await filterOf(user, 'City');
    expect(screen.getByRole('textbox', { name: 'Filter Order ID' })).toHaveFocus();
    expect(screen.getByText(/^Numbers: 3, >100.* · Empty cells: empty, not empty$/u)).toBeVisible();
    await user.type(city, 'ri');
    expect(await screen.findByText('2 of 8 rows · 7 columns')).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent('2 of 8 rows');
    expect(cities()).toEqual(['Zürich', 'Turin']);
    await user.clear(city);
    await user.type(city, 'lodz');
    expect(await screen.findByText('1 of 8 rows · 7 columns')).toBeVisible();
    expect(cities()).toEqual(['Łódź']);
  });

  it('compare numbers and dates, together, and sorting works on what they keep', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={smallCsv} caption="Orders" locale="en" />);
    await user.type(await filterOf(user, 'Revenue'), '>400');
    await user.type(await filterOf(user, 'Order date'), '2025-11-04..2025-11-05');
    expect(await screen.findByText('3 of 8 rows · 7 columns')).toBeVisible();
    expect(cities()).toEqual(['Zürich', 'Nice, FR', 'Turin']);
    await user.click(screen.getByRole('button', { name: 'Revenue' }));
    await user.click(screen.getByRole('button', { name: 'Revenue' }));
    expect(cities()).toEqual(['Turin', 'Nice, FR', 'Zürich']);
    expect(screen.getByRole('grid')).toHaveAttribute('aria-rowcount', '5');
  });

  it('read numbers as the locale writes them', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={smallCsv} caption="Orders" locale="de" />);
    await user.type(await filterOf(user, 'Revenue'), '89,50..319,9');
    expect(await screen.findByText('3 of 8 rows · 7 columns')).toBeVisible();
  });

  it('find empty cells', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={smallCsv} caption="Orders" locale="en" />);
    await user.type(await filterOf(user, 'Quantity'), 'empty');
    expect(await screen.findByText('1 of 8 rows · 7 columns')).toBeVisible();
    expect(cities()).toEqual(['Malmö']);
  });

  it('say at the input what is no number, and filter nothing by it', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={smallCsv} caption="Orders" locale="en" />);
    const input = await filterOf(user, 'Revenue');
    await user.type(input, 'many');
    await waitFor(() => expect(input).toBeInvalid());
    expect(input).toHaveAccessibleDescription('Not a number');
    expect(screen.getByText('8 rows · 7 columns')).toBeVisible();
    expect(cities()).toHaveLength(8);
  });

  it('are cleared at once, also from the sentence that stands where nothing matches', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={smallCsv} caption="Orders" locale="en" />);
    const city = await filterOf(user, 'City');
    await user.type(city, 'e');
    await screen.findByText('2 of 8 rows · 7 columns');
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(cities()).toHaveLength(8);
    expect(city).toHaveValue('');
    await user.type(city, 'nowhere');
    const table = screen.getByRole('group', { name: 'Orders' });
    expect(await within(table).findByText('No row matches the filters.')).toBeVisible();
    expect(screen.getByText('0 of 8 rows · 7 columns')).toBeVisible();
    await user.click(within(table).getByRole('button', { name: 'Clear filters' }));
    expect(cities()).toHaveLength(8);
    expect(screen.getByRole('button', { name: 'Filter rows: Orders' })).toHaveFocus();
  });

  it('remain in effect when their inputs are closed', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={smallCsv} caption="Orders" locale="en" />);
    await user.type(await filterOf(user, 'City'), 'zu');
    await screen.findByText('1 of 8 rows · 7 columns');
    await user.click(screen.getByRole('button', { name: 'Filter rows: Orders' }));
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(cities()).toEqual(['Zürich']);
    expect(await filterOf(user, 'City')).toHaveValue('zu');
  });

  it('leave the keys of the text to the text, and lead to the rows with the arrow down', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={smallCsv} caption="Orders" locale="en" />);
    const city = await filterOf(user, 'City');
    await user.type(city, 'urin{Home}t');
    expect(city).toHaveValue('turin');
    expect(city).toHaveFocus();
    await screen.findByText('1 of 8 rows · 7 columns');
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('gridcell', { name: 'Turin' })).toHaveFocus();
  });

  it('keep the grid and the input of a long table, however few rows match', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={longCsv(1_000)} caption="Orders" locale="en" />);
    const region = await screen.findByRole('group', { name: 'Orders' });
    region.scrollTop = 500 * 30;
    fireEvent.scroll(region);
    const id = await filterOf(user, 'Order ID');
    await user.type(id, '7');
    expect(await screen.findByText('1 of 1,000 rows · 5 columns')).toBeVisible();
    expect(id).toHaveFocus();
    expect(region.scrollTop).toBe(0);
    expect(region).toHaveStyle({ height: '400px' });
    await user.type(id, '{Backspace}>7');
    expect(await screen.findByText('993 of 1,000 rows · 5 columns')).toBeVisible();
    expect(column('Order ID')[0]).toBe('8');
  });

  it('stay while the table grows, and not for other columns', async () => {
    const user = userEvent.setup();
    const { rerender } = renderView(<DataTable data={longCsv(10)} caption="Orders" locale="en" />);
    await user.type(await filterOf(user, 'City'), 'berlin');
    expect(await screen.findByText('1 of 10 rows · 5 columns')).toBeVisible();
    rerender(<DataTable data={longCsv(20)} caption="Orders" locale="en" />);
    expect(screen.getByText('2 of 20 rows · 5 columns')).toBeVisible();
    expect(await filterOf(user, 'City')).toHaveValue('berlin');
    rerender(<DataTable data={smallCsv} caption="Orders" locale="en" />);
    expect(screen.getByText('8 rows · 7 columns')).toBeVisible();
    expect(await filterOf(user, 'City')).toHaveValue('');
  });

  it('say that they looked through the first rows only', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={smallCsv.slice(0, 201)} caption="Orders" truncated totalRows={12_400} />);
    await user.type(await filterOf(user, 'City'), 'porto');
    expect(await screen.findByText('1 of the first 3 rows of 12,400 · 7 columns')).toBeVisible();
  });

  it('are not offered for a preview, nor where there is nothing to choose from', () => {
    const { rerender } = renderView(<DataTable data={smallCsv} caption="Orders" filterable={false} />);
    expect(screen.queryByRole('button', { name: /^Filter/u })).toBeNull();
    rerender(<DataTable data={'a\n1\n'} caption="One" />);
    expect(screen.queryByRole('button', { name: /^Filter/u })).toBeNull();
  });
});

describe('a large DataTable', () => {
  /** A worker that answers when the test tells it to. */
  function worker() {
    const waiting: (() => void)[] = [];
    const own: TableWorker = {
      onmessage: null,
      onerror: null,
      terminate: vi.fn(),
      postMessage: () => undefined,
    };
    const host = tableHost((reply) => {
      waiting.push(() => {
        own.onmessage?.call(own as unknown as Worker, { data: reply } as MessageEvent);
      });
    });
    own.postMessage = (message: unknown) => {
      host(message as TableRequest);
    };
    const answer = () => {
      act(() => {
        for (const send of waiting.splice(0)) send();
      });
    };
    return { own, answer };
  }

  const text = longCsv(20_000);

  it('is read and sorted in a worker, which gives the rows that are shown', async () => {
    const user = userEvent.setup();
    const { own, answer } = worker();
    const open = () => own;
    const { unmount } = renderView(<DataTable data={text} caption="Orders" locale="en" openWorker={open} />);
    expect(screen.getByRole('status')).toHaveTextContent('Reading the table…');
    answer();
    expect(screen.getByText('20,000 rows · 5 columns')).toBeVisible();
    expect(column('Order ID')[0]).toBe('');
    answer();
    expect(column('Order ID')[0]).toBe('1');
    await user.click(screen.getByRole('button', { name: 'Order ID' }));
    answer();
    expect(column('Order ID')[0]).toBe('20000');
    unmount();
    expect(own.terminate).toHaveBeenCalledOnce();
  });

  it('is filtered there too: the rows before stay until others have come, and the latest filter wins', async () => {
    const user = userEvent.setup();
    const { own, answer } = worker();
    const asked = vi.spyOn(own, 'postMessage');
    const open = () => own;
    renderView(<DataTable data={text} caption="Orders" locale="en" openWorker={open} />);
    answer();
    answer();
    const lastAsked = () => JSON.stringify(asked.mock.lastCall);
    const id = await filterOf(user, 'Order ID');
    await user.type(id, '<0');
    await waitFor(() => expect(lastAsked()).toContain('"most":0'));
    expect(column('Order ID')).toContain('1');
    await user.clear(id);
    await user.type(id, '>19990');
    await waitFor(() => expect(lastAsked()).toContain('"least":19990'));
    answer();
    expect(screen.getByText('10 of 20,000 rows · 5 columns')).toBeVisible();
    answer();
    expect(column('Order ID')).toEqual(Array.from({ length: 10 }, (_, row) => String(19_991 + row)));
    await user.click(screen.getByRole('button', { name: 'Order ID' }));
    answer();
    expect(column('Order ID')[0]).toBe('20000');
    await user.clear(id);
    await user.type(id, '<0');
    await waitFor(() => {
      answer();
      expect(screen.getByText('0 of 20,000 rows · 5 columns')).toBeVisible();
    });
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    answer();
    expect(screen.getByText('20,000 rows · 5 columns')).toBeVisible();
    expect(column('Order ID')[0]).toBe('20000');
  });

  it('says when it could not be read', () => {
    const { own } = worker();
    const open = () => own;
    renderView(<DataTable data={text} caption="Orders" openWorker={open} />);
    act(() => {
      own.onerror?.call(own as unknown as Worker, new ErrorEvent('error'));
    });
    expect(screen.getByRole('alert')).toHaveTextContent('The table could not be read.');
  });
});
