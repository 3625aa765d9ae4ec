import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { hostileCsv, longCsv, smallCsv, wideCsv } from '../../testing/fixtures/components';
import { dangerousElements, renderView } from '../../testing/fixtures/components/render-view';
import { DataTable } from '.';

function column(name: string): string[] {
  const index = screen.getByRole('columnheader', { name }).getAttribute('aria-colindex');
  return screen
    .getAllByRole('cell')
    .filter((cell) => cell.getAttribute('aria-colindex') === index)
    .map((cell) => cell.textContent);
}

describe('DataTable', () => {
  it('shows all cells of a small table', () => {
    renderView(<DataTable data={smallCsv} caption="Orders" locale="en" />);
    expect(column('city')).toEqual([
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
    expect(column('revenue').slice(0, 2)).toEqual(['1,298.00', '89.50']);
    expect(column('order_id')[0]).toBe('10482');
    expect(column('year')[0]).toBe('2025');
    unmount();
    renderView(<DataTable data={smallCsv} caption="Orders" locale="de" />);
    expect(column('revenue').slice(0, 2)).toEqual(['1.298,00', '89,50']);
  });

  it('aligns numbers right and text left', () => {
    renderView(<DataTable data={smallCsv} caption="Orders" />);
    expect(screen.getByText('Berlin')).toHaveAttribute('data-kind', 'text');
    expect(screen.getByText('10482')).toHaveAttribute('data-kind', 'number');
  });

  it('sorts numbers downwards first, then upwards, then not at all, blanks last', async () => {
    const user = userEvent.setup();
    renderView(<DataTable data={smallCsv} caption="Orders" />);
    const header = screen.getByRole('columnheader', { name: 'quantity' });
    expect(header).toHaveAttribute('aria-sort', 'none');
    await user.click(within(header).getByRole('button'));
    expect(header).toHaveAttribute('aria-sort', 'descending');
    expect(column('quantity')).toEqual(['6', '4', '3', '2', '1', '1', '1', '']);
    await user.click(within(header).getByRole('button'));
    expect(header).toHaveAttribute('aria-sort', 'ascending');
    expect(column('quantity')).toEqual(['1', '1', '1', '2', '3', '4', '6', '']);
    await user.click(within(header).getByRole('button'));
    expect(header).toHaveAttribute('aria-sort', 'none');
    expect(column('quantity')[0]).toBe('2');
  });

  it('sorts text as people do', async () => {
    const user = userEvent.setup();
    renderView(
      <DataTable
        data={{ columns: ['name'], rows: [['Item 10'], ['item 9'], ['Äpfel'], ['Zebra'], [null]] }}
        caption="Names"
      />,
    );
    await user.click(screen.getByRole('button', { name: 'name' }));
    expect(column('name')).toEqual(['Äpfel', 'item 9', 'Item 10', 'Zebra', '']);
  });

  it('scrolls after 20 rows and keeps only what is in view in the document', () => {
    renderView(<DataTable data={longCsv(10_000)} caption="Orders" />);
    const region = screen.getByRole('region', { name: 'Orders' });
    expect(region).toHaveStyle({ height: '400px' });
    expect(column('order_id').length).toBeLessThan(40);
    expect(column('order_id')[0]).toBe('1');
    region.scrollTop = 5000 * 30;
    fireEvent.scroll(region);
    expect(column('order_id')).toContain('5001');
    expect(column('order_id').length).toBeLessThan(40);
    expect(screen.getByText('10,000 rows · 5 columns')).toBeVisible();
    expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '10001');
  });

  it('does not scroll at 20 rows', () => {
    renderView(<DataTable data={longCsv(20)} caption="Orders" />);
    expect(screen.getByRole('region', { name: 'Orders' })).not.toHaveStyle({ height: '400px' });
    expect(column('order_id')).toHaveLength(20);
  });

  it('keeps only the columns in view above 20 columns, 200 px each', () => {
    renderView(<DataTable data={wideCsv(500)} caption="Wide" />);
    const region = screen.getByRole('region', { name: 'Wide' });
    const names = () => screen.getAllByRole('columnheader').map((header) => header.textContent);
    expect(names().length).toBeLessThan(15);
    expect(screen.getByRole('columnheader', { name: 'measure_1' })).toHaveStyle({ width: '200px' });
    region.scrollLeft = 300 * 200;
    fireEvent.scroll(region);
    expect(names()).toContain('measure_301');
    expect(names()).not.toContain('measure_1');
    expect(screen.getByRole('table')).toHaveStyle({ width: `${500 * 200}px` });
  });

  it('shows all of 20 columns', () => {
    renderView(<DataTable data={wideCsv(20)} caption="Twenty" />);
    expect(screen.getAllByRole('columnheader')).toHaveLength(20);
  });

  it('I08, I12: shows markup and names of object members as text', () => {
    const { container } = renderView(<DataTable data={hostileCsv} caption="Hostile" />);
    const table = screen.getByRole('table');
    expect(table).toHaveTextContent('<script>window.__pwned=1</script>');
    expect(table).toHaveTextContent('__proto__');
    expect(table).toHaveTextContent('toString');
    expect(table).toHaveTextContent('U+202Ednarb');
    expect(dangerousElements(container.querySelector('table')!)).toEqual([]);
    expect(({} as Record<string, unknown>)['toString']).toBe(Object.prototype.toString);
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
});
