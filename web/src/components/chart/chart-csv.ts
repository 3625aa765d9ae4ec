import Papa from 'papaparse';
import type { Cell } from '@/components/data-table/cell';
import { chart as t } from '@/messages/chart';
import { chartTable } from './chart-data';
import type { ChartModel } from './chart-model';

/** The same as CSV, units in the headings. Text that a spreadsheet would run as a formula is quoted with an apostrophe. */
export function chartCsv(chart: ChartModel): string {
  const table = chartTable(chart);
  const headings = table.columns.map((label, place) => {
    const unit = table.shown?.[place]?.unit ?? '';
    const isShare = table.shown?.[place]?.format === 'fraction';
    return unit === '' || isShare ? label : t('column.unit', { label, unit });
  });
  const guard = (cell: Cell): Cell => (typeof cell === 'string' && isFormula(cell) ? `'${cell}` : cell);
  return Papa.unparse([headings.map(guard), ...table.rows.map((row) => row.map(guard))]);
}

function isFormula(text: string): boolean {
  return /^[=+\-@\t\r]/u.test(text) && !/^[+-]?[\d.,]+%?$/u.test(text);
}
