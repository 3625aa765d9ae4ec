import type { ShownColumn } from '@/lib/wire';
import { chartGrain as t } from '@/messages/chart-grain';
import type { ChartModel, ChartPoint, ChartSeries } from './chart-model';
import { type CoarseChart, measured } from './point-room';

/** With fewer points than this, a line no longer shows the course of the values. */
const fewest = 12;
const rounded = 12;
/** The index of grey in the palette. */
const mutedColor = 7;

const grains = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
type Grain = (typeof grains)[number];
type Means = 'sum' | 'mean' | 'highest' | 'lowest';

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * A line of thousands of points would be a solid block: in a drawing of this width it is shown by day, week or
 * month, as its measure allows. Amounts are added up, levels and rates are averaged, and measures of an unknown
 * kind show their highest and lowest values as well. The table and the files have all points.
 */
export function coarseGrain(
  chart: ChartModel,
  width: number,
  { places, isBars, room, isFull } = measured(chart, width),
): CoarseChart {
  const most = isBars ? Math.max(fewest, Math.floor(room / chart.series.length)) : room;
  if (!isFull) return { chart, note: null };
  const grain = grains.find((each) => new Set(places.map((at) => beginOf(at, each))).size <= most) ?? 'year';
  const count = new Set(places.map((at) => beginOf(at, grain))).size;
  const isKnown = chart.series.every(({ column }) => column !== null);
  // If bars or stacked series need common places, or a grain is given by the column, the points are combined.
  if (isBars || chart.stacking !== null || (isKnown && count >= fewest)) return byGrain(chart, grain, places);
  const [series] = chart.series;
  if (chart.series.length === 1 && series !== undefined && count >= fewest)
    return byExtent(chart, series, grain, places);
  return {
    chart: {
      ...chart,
      series: chart.series.map((each) => ({ ...each, points: extremes(each.points, room) })),
    },
    note: t('note.thinned', { count: places.length }),
  };
}

function byGrain(chart: ChartModel, grain: Grain, places: readonly number[]): CoarseChart {
  const means = chart.series.map(({ column }) => meansOf(column));
  const kinds = [...new Set(means)];
  const ends = kinds.includes('sum') ? partialEnds(places, grain) : { first: null, last: null };
  const given = typeof chart.incomplete === 'number' ? beginOf(chart.incomplete, grain) : null;
  const name = { grain: t(`grain.${grain}`), count: places.length };
  const [only = 'mean'] = kinds;
  return {
    chart: {
      ...chart,
      xAxis: axisOf(chart, grain),
      series: chart.series.map((each, place) => ({
        ...each,
        points: grouped(each, grain, means[place] ?? 'mean'),
      })),
      incomplete: given ?? ends.last,
      incompleteFirst: ends.first,
    },
    note: t(kinds.length > 1 ? 'note.grain.mixed' : `note.grain.${only}`, name),
  };
}

/**
 * One line of an unknown measure: its average between the highest and the lowest value of each period, which are
 * drawn paler.
 */
function byExtent(
  chart: ChartModel,
  series: ChartSeries,
  grain: Grain,
  places: readonly number[],
): CoarseChart {
  const line = (means: Exclude<Means, 'sum'>, colorIndex: number): ChartSeries => ({
    ...series,
    name: t(`extent.${means}`),
    points: grouped(series, grain, means),
    colorIndex,
  });
  return {
    chart: {
      ...chart,
      xAxis: axisOf(chart, grain),
      series: [line('highest', mutedColor), line('mean', series.colorIndex ?? 0), line('lowest', mutedColor)],
      legend: true,
      sharedTooltip: true,
      incomplete: typeof chart.incomplete === 'number' ? beginOf(chart.incomplete, grain) : chart.incomplete,
    },
    note: t('note.extent', { grain: t(`grain.${grain}`), count: places.length }),
  };
}

/** How the values of a column become one. The name of a highest or lowest value says so. */
function meansOf(column: ShownColumn | null): Means {
  if (column === null) return 'mean';
  if (column.adds === true) return 'sum';
  const words = column.name.toLowerCase().split(/[^a-z]+/u);
  if (words.some((word) => ['max', 'maximum', 'highest', 'peak'].includes(word))) return 'highest';
  if (words.some((word) => ['min', 'minimum', 'lowest'].includes(word))) return 'lowest';
  return 'mean';
}

function grouped(series: ChartSeries, grain: Grain, means: Means): ChartPoint[] {
  const groups = new Map<number, number[]>();
  for (const { x, y } of series.points) {
    if (x === null) continue;
    const at = beginOf(x, grain);
    const values = groups.get(at) ?? [];
    if (y !== null) values.push(y);
    groups.set(at, values);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([x, values]) => ({ x, y: together(values, means), name: null, colorIndex: null }));
}

function together(values: readonly number[], means: Means): number | null {
  if (values.length === 0) return null;
  const sum = values.reduce((total, value) => total + value, 0);
  switch (means) {
    case 'sum':
      return Number(sum.toPrecision(rounded));
    case 'mean':
      return Number((sum / values.length).toPrecision(rounded));
    case 'highest':
      return values.reduce((most, value) => Math.max(most, value));
    case 'lowest':
      return values.reduce((least, value) => Math.min(least, value));
  }
}

/** The beginning of the period that contains a time, in UTC. Weeks begin on Monday. */
function beginOf(time: number, grain: Grain): number {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (grain) {
    case 'minute':
      return Math.floor(time / minute) * minute;
    case 'hour':
      return Math.floor(time / (60 * minute)) * 60 * minute;
    case 'day':
      return Math.floor(time / day) * day;
    case 'week':
      // The first of January 1970 is a Thursday.
      return (Math.floor((time / day + 3) / 7) * 7 - 3) * day;
    case 'month':
      return Date.UTC(year, month, 1);
    case 'quarter':
      return Date.UTC(year, month - (month % 3), 1);
    case 'year':
      return Date.UTC(year, 0, 1);
  }
}

function endOf(begin: number, grain: Grain): number {
  // Adding a little more than the longest period of each kind gives a time in the next one.
  const longest = { minute, hour: 60 * minute, day, week: 7 * day, month: 31 * day, quarter: 92 * day };
  return beginOf(begin + (grain === 'year' ? 366 * day : longest[grain]), grain);
}

/**
 * The first and the last period, if the data begin or end within it: their sums are lower than those of complete
 * ones, and the reader must be told. Data with gaps, such as working days, fill a period if they have as many
 * points in it as in most periods.
 */
function partialEnds(places: readonly number[], grain: Grain): { first: number | null; last: number | null } {
  const counts = new Map<number, number>();
  for (const at of places) counts.set(beginOf(at, grain), (counts.get(beginOf(at, grain)) ?? 0) + 1);
  const usual = median([...counts.values()]);
  const step = median(places.slice(1).map((at, place) => at - (places[place] ?? at)));
  const [from = 0, to = 0] = [places[0], places.at(-1)];
  const isFew = (at: number): boolean => (counts.get(beginOf(at, grain)) ?? 0) < usual;
  const first = beginOf(from, grain);
  const last = beginOf(to, grain);
  return {
    first: isFew(from) && from - first >= step ? first : null,
    last: isFew(to) && endOf(last, grain) - to > step * 1.5 ? last : null,
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function formatOf(grain: Grain): ShownColumn['format'] {
  if (grain === 'minute' || grain === 'hour') return 'timestamp';
  return grain === 'day' ? 'date' : grain;
}

function axisOf(chart: ChartModel, grain: Grain): ChartModel['xAxis'] {
  return { ...chart.xAxis, column: { ...timeColumn(chart), format: formatOf(grain) } };
}

function timeColumn({ xAxis }: ChartModel): ShownColumn {
  return xAxis.column ?? { name: 'x', label: xAxis.title ?? '', format: 'date', role: 'time' };
}

/** As many points as there is space for: the lowest and the highest of each stretch, and both ends. */
function extremes(points: readonly ChartPoint[], room: number): ChartPoint[] {
  const size = Math.ceil(points.length / Math.max(1, Math.floor(room / 2) - 1));
  const kept = new Set<ChartPoint>();
  for (let from = 0; from < points.length; from += size) {
    const stretch = points.slice(from, from + size).filter(({ y }) => y !== null);
    const [first] = stretch;
    // A stretch without values remains a gap.
    if (first === undefined) points.slice(from, from + 1).forEach((gap) => kept.add(gap));
    else {
      kept.add(stretch.reduce((low, point) => ((point.y ?? 0) < (low.y ?? 0) ? point : low), first));
      kept.add(stretch.reduce((high, point) => ((point.y ?? 0) > (high.y ?? 0) ? point : high), first));
    }
  }
  const [first, last] = [points[0], points.at(-1)];
  return points.filter((point) => kept.has(point) || point === first || point === last);
}
