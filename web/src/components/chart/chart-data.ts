import Papa from 'papaparse';

import type { Cell, TableData } from '../data-table';
import { dateText } from './chart-format';
import { categoryNames, type ChartModel, type ChartPoint } from './chart-model';

/** The numbers behind a chart as rows: one row per place on the x axis, one column per series. */
export function chartTable(chart: ChartModel): TableData {
  const names = categoryNames(chart);
  const rows = new Map<string, Cell[]>();
  chart.series.forEach((series, column) => {
    series.points.forEach((point, index) => {
      const key = place(point, index, names, chart);
      // Scatter points may share an x; each keeps a row of its own.
      const id = chart.type === 'scatter' ? `${column}/${index}` : key;
      const row = rows.get(id) ?? [key, ...chart.series.map(() => null)];
      row[column + 1] = point.y;
      rows.set(id, row);
    });
  });
  const first =
    chart.xAxis.title ?? (chart.xAxis.kind === 'datetime' ? 'Date' : names === null ? 'x' : 'Category');
  return { columns: [first, ...chart.series.map((series) => series.name)], rows: [...rows.values()] };
}

function place(point: ChartPoint, index: number, names: readonly string[] | null, chart: ChartModel): string {
  if (point.name !== null) return point.name;
  if (point.x !== null && chart.xAxis.kind === 'datetime') return dateText(point.x);
  const position = point.x ?? index;
  return names?.[position] ?? String(point.x ?? index + 1);
}

/** The same as CSV. Text that a spreadsheet would run as a formula is quoted with an apostrophe. */
export function chartCsv(chart: ChartModel): string {
  const table = chartTable(chart);
  const guard = (cell: Cell): Cell => (typeof cell === 'string' && isFormula(cell) ? `'${cell}` : cell);
  return Papa.unparse([table.columns.map(guard), ...table.rows.map((row) => row.map(guard))]);
}

function isFormula(text: string): boolean {
  return /^[=+\-@\t\r]/u.test(text) && !/^[+-]?[\d.,]+%?$/u.test(text);
}

/** A chart in a sentence or two, for readers who cannot see it. */
export function describeChart(chart: ChartModel): string {
  const names = categoryNames(chart);
  const count = chart.series.length;
  const points = chart.series.reduce((total, series) => total + series.points.length, 0);
  const kind = `${chart.type.charAt(0).toUpperCase()}${chart.type.slice(1)} chart`;
  const parts = [
    `${kind}${chart.title === null ? '' : `, ${chart.title}`}.`,
    `${count} ${count === 1 ? 'series' : 'series'} (${chart.series
      .slice(0, 5)
      .map((series) => series.name)
      .join(', ')}${count > 5 ? ', …' : ''}), ${points} points.`,
  ];
  const extremes = extremePoints(chart, names);
  if (extremes !== null) parts.push(extremes);
  return parts.join(' ');
}

function extremePoints(chart: ChartModel, names: readonly string[] | null): string | null {
  let high: { at: string; y: number } | null = null;
  let low: { at: string; y: number } | null = null;
  for (const series of chart.series) {
    series.points.forEach((point, index) => {
      if (point.y === null) return;
      const at = place(point, index, names, chart);
      if (high === null || point.y > high.y) high = { at, y: point.y };
      if (low === null || point.y < low.y) low = { at, y: point.y };
    });
  }
  // The closure above hides the assignments from the compiler.
  const [top, bottom] = [high, low] as ({ at: string; y: number } | null)[];
  if (top === null || top === undefined || bottom === null || bottom === undefined) return null;
  return `Highest ${top.y.toLocaleString('en')} at ${top.at}, lowest ${bottom.y.toLocaleString('en')} at ${bottom.at}.`;
}
