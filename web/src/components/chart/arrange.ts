import { chart as t } from '@/messages/chart';
import { categoryOrder, ownOrder } from './category-order';
import type { ChartModel, ChartPoint, ChartSeries } from './chart-model';
import { categoryNames, valuesOf } from './chart-model';
import { categoryText, periodsOf } from './place-names';

/** Up to this number of bars all are shown: people ask for the ten or the twenty largest. */
const mostWhole = 20;
/** If there are more, this many are shown before the rest is combined into one. */
const mostBars = 15;
/** The others are drawn up to this multiple of the largest bar; if they were larger, the other bars would be short. */
const mostOthers = 1.5;
const longName = 14;
/** The characters that fit below the columns of a chart of the usual width; with more the names would be rotated. */
const roomForNames = 80;
/** The length of a name from which on the names of three columns do not fit below them. */
const manyColumns = 15;

/** The categories that are too small for a bar of their own. */
interface RestOfChart {
  count: number;
  /** The sum of each series, in their order. */
  sums: readonly number[];
}

/** A chart as it is laid out, and what the reader must be told about that. */
export interface ArrangedChart {
  chart: ChartModel;
  /** The number of all categories, if not all are drawn by default; else null. */
  foldable: number | null;
  /** How many categories are neither drawn nor part of the others. */
  hidden: number;
  /** The others, if they are said and not drawn; null if they are drawn, or there are none. */
  rest: RestOfChart | null;
}

/**
 * Lays a chart out: categories in their order, horizontal bars if names are long or many, the small ones combined
 * into one.
 */
export function arrangeChart(chart: ChartModel, showAll: boolean): ArrangedChart {
  const names = categoryNames(chart);
  if (names === null || chart.type === 'pie' || chart.type === 'scatter' || chart.xAxis.kind === 'datetime') {
    return { chart: withTexts(chart), foldable: null, hidden: 0, rest: null };
  }
  const flat = byCategory(chart, names);
  const ordered = isTimed(chart) ? flat : reorder(flat, placesOf(names, totals(flat), chart.empty));
  const turned = lies(ordered)
    ? { ...ordered, type: 'bar' as const, series: asBars(ordered.series) }
    : ordered;
  if (
    turned.type !== 'bar' ||
    names.length <= mostWhole ||
    ownOrder(filled(chart, names)) !== null ||
    isTimed(chart)
  ) {
    return { chart: withTexts(turned), foldable: null, hidden: 0, rest: null };
  }
  if (showAll) return { chart: withTexts(turned), foldable: names.length, hidden: 0, rest: null };
  const { chart: folded, ...more } = fold(turned);
  return { chart: withTexts(folded), foldable: names.length, ...more };
}

function isTimed(chart: ChartModel): boolean {
  return chart.xAxis.column?.role === 'time';
}

/** The order of the names. The category without a value has no rank among the others and comes last. */
function placesOf(
  names: readonly string[],
  values: readonly (number | null)[],
  empty: string | null,
): number[] {
  const places = names.map((_, place) => place);
  const last = places.filter((place) => names[place] === empty);
  const others = places.filter((place) => names[place] !== empty);
  const order = categoryOrder(
    others.map((place) => names[place] ?? ''),
    others.map((place) => values[place] ?? null),
  );
  return [...order.flatMap((place) => others.slice(place, place + 1)), ...last];
}

/** The names without the one for an empty value. */
function filled({ empty }: ChartModel, names: readonly string[]): readonly string[] {
  return names.filter((name) => name !== empty);
}

/** Each series with one point for each category, in the order of the categories. */
function byCategory(chart: ChartModel, names: readonly string[]): ChartModel {
  const series = chart.series.map((each) => {
    const points: ChartPoint[] = names.map(() => ({ x: null, y: null, name: null, colorIndex: null }));
    each.points.forEach((point, place) => {
      const named = point.name === null ? -1 : names.indexOf(point.name);
      const at = named >= 0 ? named : (point.x ?? place);
      if (at in points) points[at] = { ...point, x: null, name: null };
    });
    return { ...each, points };
  });
  return { ...chart, xAxis: { ...chart.xAxis, kind: 'category', categories: names }, series };
}

function totals(chart: ChartModel): (number | null)[] {
  const names = chart.xAxis.categories ?? [];
  return names.map((_, place) => {
    const values = chart.series.map((series) => series.points[place]?.y ?? null);
    return values.every((value) => value === null)
      ? null
      : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  });
}

function reorder(chart: ChartModel, places: readonly number[]): ChartModel {
  const pick = <T>(from: readonly T[]): T[] => places.flatMap((place) => from.slice(place, place + 1));
  return {
    ...chart,
    xAxis: { ...chart.xAxis, categories: pick(chart.xAxis.categories ?? []) },
    series: chart.series.map((series) => ({ ...series, points: pick(series.points) })),
  };
}

/**
 * Whether columns become horizontal bars: their names are long or many, and are not periods or a scale, which
 * people read from left to right.
 */
function lies(chart: ChartModel): boolean {
  const names = chart.xAxis.categories ?? [];
  if (chart.type !== 'column' || isTimed(chart) || ownOrder(filled(chart, names)) !== null) return false;
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0);
  if (names.length > manyColumns) return true;
  return names.length > 2 && (longest > longName || names.length * (longest + 2) > roomForNames);
}

function asBars(series: readonly ChartSeries[]): ChartSeries[] {
  return series.map((each) => (each.type === 'column' ? { ...each, type: 'bar' } : each));
}

/** The biggest categories in their order, and the sum of the rest if a sum is meaningful. */
function fold(chart: ChartModel): Omit<ArrangedChart, 'foldable'> {
  const sums = totals(chart);
  const last = chart.xAxis.categories?.indexOf(chart.empty ?? '') ?? -1;
  const bySize = sums
    .map((_, place) => place)
    .filter((place) => place !== last)
    .sort((a, b) => Math.abs(sums[b] ?? 0) - Math.abs(sums[a] ?? 0) || a - b);
  const kept = bySize.slice(0, mostBars).sort((a, b) => a - b);
  const rest = bySize.slice(mostBars);
  const shown = reorder(chart, kept);
  const end = reorder(chart, last < 0 ? [] : [last]);
  const withoutRest = reorder(chart, last < 0 ? kept : [...kept, last]);
  if (!chart.series.every(({ column }) => column?.adds === true))
    return { chart: withoutRest, hidden: rest.length, rest: null };
  const restOf = (series: ChartSeries | undefined): number =>
    rest.reduce((sum, place) => sum + (series?.points[place]?.y ?? 0), 0);
  const restSums = chart.series.map(restOf);
  if (dwarfs(restSums, withoutRest))
    return { chart: withoutRest, hidden: 0, rest: { count: rest.length, sums: restSums } };
  const others = (series: ChartSeries | undefined): ChartPoint => ({
    x: null,
    y: restOf(series),
    name: null,
    // Grey: it is not a real category.
    colorIndex: 7,
  });
  return {
    hidden: 0,
    rest: null,
    chart: {
      ...shown,
      xAxis: {
        ...shown.xAxis,
        categories: [
          ...(shown.xAxis.categories ?? []),
          t('others', { count: rest.length }),
          ...(end.xAxis.categories ?? []),
        ],
      },
      series: shown.series.map((series, place) => ({
        ...series,
        points: [...series.points, others(chart.series[place]), ...(end.series[place]?.points ?? [])],
      })),
    },
  };
}

/** Whether a bar with these values, one for each series, would press the bars of the chart together. */
function dwarfs(sums: readonly number[], chart: ChartModel): boolean {
  // Each of these bars has the same length.
  if (chart.stacking === 'percent') return false;
  const size = (values: readonly (number | null)[]): number =>
    values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
  return chart.stacking === 'normal'
    ? size([sums.reduce((sum, value) => sum + value, 0)]) > mostOthers * size(totals(chart))
    : size(sums) > mostOthers * size(valuesOf(chart));
}

/** Categories and series that are periods, in words. */
function withTexts(chart: ChartModel): ChartModel {
  const { xAxis, splitColumn } = chart;
  return {
    ...chart,
    xAxis: {
      ...xAxis,
      categories: xAxis.categories?.map((name) => categoryText(name, xAxis)) ?? null,
    },
    series: chart.series.map((series) => ({
      ...series,
      name: categoryText(series.name, { column: splitColumn }),
    })),
    incomplete:
      typeof chart.incomplete === 'string'
        ? categoryText(chart.incomplete, periodsOf(chart))
        : chart.incomplete,
  };
}
