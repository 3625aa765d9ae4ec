import { chart as t } from '@/messages/chart';
import type { ShownColumn } from '@/lib/wire';
import type { ChartAxis, ChartPoint, ChartSeries } from './chart-model';
import type { ChartConfig, ChartType } from './chart-schema';

type AxisConfig = NonNullable<ChartConfig['xAxis']>[number];
type SeriesConfig = ChartConfig['series'][number];
type ColumnConfig = NonNullable<NonNullable<ChartConfig['parley']>['columns']>[number];
type PointConfig = SeriesConfig['data'][number];

// Years of four digits. Outside of them browsers format dates in ways that people do not recognise as dates.
const firstDate = Date.UTC(1000, 0, 1);
const lastDate = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** An axis with everything decided. A date axis is recognised by its points if its type is not set. */
export function axisModel(
  axis: AxisConfig | undefined,
  series: readonly SeriesConfig[],
  side: 'x' | 'y',
  column: ShownColumn | null,
): ChartAxis {
  const categories = side === 'x' ? (axis?.categories ?? null) : null;
  const kind = axis?.type ?? (side === 'x' && categories === null && datesIn(series) ? 'datetime' : 'linear');
  return {
    kind: categories === null ? kind : 'category',
    title: axis?.title ?? null,
    categories,
    rotation: axis?.labels?.rotation ?? null,
    labels: axis?.labels?.enabled ?? true,
    min: axis?.min ?? null,
    max: axis?.max ?? null,
    opposite: axis?.opposite ?? false,
    column,
  };
}

function datesIn(series: readonly SeriesConfig[]): boolean {
  const first = series[0]?.data[0];
  const x = Array.isArray(first)
    ? first[0]
    : typeof first === 'object' && first !== null
      ? first.x
      : undefined;
  return typeof x === 'string' && /^\d{4}-\d{2}-\d{2}/u.test(x) && !Number.isNaN(Date.parse(x));
}

/** A series with everything decided. Throws on points that cannot be placed. */
export function seriesModel(
  series: SeriesConfig,
  chart: {
    index: number;
    type: ChartType;
    xAxis: ChartAxis;
    yAxisCount: number;
    columns: ReadonlyMap<string, ShownColumn>;
  },
): ChartSeries {
  const axis = series.yAxis ?? 0;
  return {
    name: series.name ?? t('series', { number: chart.index + 1 }),
    type: series.type ?? chart.type,
    points: series.data.map((point) => pointModel(point, chart.xAxis)),
    colorIndex: series.colorIndex ?? null,
    yAxis: axis < chart.yAxisCount ? axis : 0,
    column: chart.columns.get(series.column ?? '') ?? null,
  };
}

/** The descriptions of the columns, by their SQL names. */
export function columnsByName(columns: readonly ColumnConfig[]): ReadonlyMap<string, ShownColumn> {
  return new Map(
    columns.map(({ unit, adds, until, ...column }) => [
      column.name,
      {
        ...column,
        ...(unit !== undefined && { unit }),
        ...(adds !== undefined && { adds }),
        ...(until !== undefined && { until }),
      },
    ]),
  );
}

function pointModel(point: PointConfig, axis: ChartAxis): ChartPoint {
  if (point === null || typeof point === 'number') return { x: null, y: point, name: null, colorIndex: null };
  if (Array.isArray(point)) {
    const [x, y] = point;
    return { ...place(x, axis), y, colorIndex: null };
  }
  const at = place(point.x, axis);
  return { x: at.x, y: point.y, name: point.name ?? at.name, colorIndex: point.colorIndex ?? null };
}

/** The position of a coordinate: a date becomes milliseconds, other text names its point. */
function place(x: number | string | undefined, axis: ChartAxis): { x: number | null; name: string | null } {
  if (x === undefined) return { x: null, name: null };
  if (axis.kind === 'datetime') {
    const time = typeof x === 'number' ? x : Date.parse(x);
    if (!(time >= firstDate && time <= lastDate)) throw new RangeError('date out of range');
    return { x: time, name: null };
  }
  return typeof x === 'number' ? { x, name: null } : { x: null, name: x };
}
