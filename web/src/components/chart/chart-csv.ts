import Papa from 'papaparse';
import type { Cell } from '@/components/data-table/cell';
import { chart as t } from '@/messages/chart';
import { chartTable } from './chart-data';
import type { ChartModel } from './chart-model';

/**
 * The same as CSV, with units in the headings and names as they are in the data: a file is not markup. Text that a
 * spreadsheet would run as a formula is quoted with an apostrophe.
 */
export function chartCsv(chart: ChartModel): string {
  const table = chartTable(chart);
  const exact = (text: string): string => chart.exact.get(text) ?? text;
  const headings = table.columns.map(exact).map((label, place) => {
    const unit = table.shown?.[place]?.unit ?? '';
    const isShare = table.shown?.[place]?.format === 'fraction';
    return unit === '' || isShare ? label : t('column.unit', { label, unit });
  });
  const guard = (cell: Cell): Cell => (typeof cell === 'string' && isFormula(cell) ? `'${cell}` : cell);
  const own = (cell: Cell): Cell => (typeof cell === 'string' ? exact(cell) : cell);
  return Papa.unparse([headings.map(guard), ...table.rows.map((row) => row.map(own).map(guard))]);
}

function isFormula(text: string): boolean {
  // Programs that read the file ignore invisible characters before a formula, so they are ignored here, too.
  return /^(?:[\t\r\n]|[\p{Cc}\p{Cf}]*[=+\-@])/u.test(text) && !/^[+-]?[\d.,]+%?$/u.test(text);
}
