import type { Cell } from '@/components/data-table/cell';
import type { TableData } from '@/components/data-table/table-of-rows';
import { isoPeriod, isTime } from '@/lib/period';
import type { ShownColumn } from '@/lib/wire';
import { chart as t } from '@/messages/chart';
import { categoryNames, type ChartModel, type ChartPoint, type ChartSeries } from './chart-model';
import { pointsOf } from './difference';
import { isUnfilled, placeText } from './place-names';

/** The numbers behind a chart as rows: one row per place on the x axis, one column per series. */
export function chartTable(chart: ChartModel): TableData {
  const names = categoryNames(chart);
  const rows = new Map<string, Cell[]>();
  chart.series.forEach((series, column) => {
    series.points.forEach((point, index) => {
      const first = firstCell(point, index, names, chart);
      // Scatter points may share an x; each has a separate row.
      const id = chart.type === 'scatter' ? `${column}/${index}` : String(first);
      const row = rows.get(id) ?? [first, ...chart.series.map(() => null)];
      row[column + 1] = point.y;
      rows.set(id, row);
    });
  });
  const table: TableData = {
    columns: [firstHeading(chart, names), ...chart.series.map((series) => series.name)],
    shown: [firstColumn(chart), ...chart.series.map((series) => columnOf(series, chart))],
    rows: [...rows.values()],
  };
  const isPair = chart.compared && chart.series.length === 2 && !isUnfilled(chart.series[1], chart);
  return isPair ? withDifference(table) : table;
}

function firstCell(
  point: ChartPoint,
  index: number,
  names: readonly string[] | null,
  chart: ChartModel,
): Cell {
  if (chart.type === 'scatter' && point.x !== null) return point.x;
  if (chart.xAxis.kind === 'datetime' && point.x !== null)
    return isoPeriod(point.x, chart.xAxis.column?.format ?? placesFormat(chart));
  return placeText(point, index, names, chart);
}

function firstHeading(chart: ChartModel, names: readonly string[] | null): string {
  if (chart.xAxis.column !== null) return chart.xAxis.column.label;
  if (chart.xAxis.title !== null) return chart.xAxis.title;
  if (chart.xAxis.kind === 'datetime') return t('column.date');
  return names === null ? 'x' : t('column.category');
}

const day = 24 * 60 * 60 * 1000;

/** Places without a format are days if each of them is midnight in UTC, the time of charts. */
function placesFormat(chart: ChartModel): 'date' | 'timestamp' {
  const places = chart.series.flatMap(({ points }) => points.map(({ x }) => x));
  return places.every((x) => x === null || x % day === 0) ? 'date' : 'timestamp';
}

/** Times are parsed as times again; categories are already text. */
function firstColumn(chart: ChartModel): ShownColumn | null {
  const { column, kind } = chart.xAxis;
  if (kind === 'datetime')
    return column ?? { name: 'x', label: t('column.date'), format: placesFormat(chart), role: 'time' };
  if (column === null || (chart.type !== 'scatter' && isTime(column.format)))
    // Already formatted: a year would be parsed as a number again, and must not get a comma.
    return column === null ? null : { ...column, format: 'plain', role: 'category' };
  return column;
}

function columnOf(series: ChartSeries, chart: ChartModel): ShownColumn | null {
  if (series.column !== null) return { ...series.column, label: series.name };
  const unit = chart.valueSuffix.trim() || chart.valuePrefix.trim();
  if (unit === '') return null;
  return {
    name: series.name,
    label: series.name,
    unit,
    format: unit === '%' ? 'percent' : 'number',
    role: 'measure',
  };
}

/** The change between two periods, as an amount and as a share. */
function withDifference(table: TableData): TableData {
  const [, , last = null] = table.shown ?? [];
  const label = t('column.difference');
  const inPoints = pointsOf(last);
  const times = inPoints?.times ?? 1;
  return {
    columns: [...table.columns, label, t('column.change')],
    shown: [
      ...(table.shown ?? []),
      last === null ? null : { ...last, ...inPoints?.kind, label },
      { name: 'change', label: t('column.change'), unit: '%', format: 'fraction', role: 'measure' },
    ],
    rows: table.rows.map((row) => {
      const [, from = null, to = null] = row;
      const both = typeof from === 'number' && typeof to === 'number';
      const change = both && from !== 0 ? (to - from) / Math.abs(from) : null;
      return [...row, both ? Number(((to - from) * times).toPrecision(12)) : null, change];
    }),
  };
}
