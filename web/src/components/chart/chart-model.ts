import type { ShownColumn } from '@/lib/wire';
import type { ChartType } from './chart-schema';

/** One point, in whichever notation it was written. */
export interface ChartPoint {
  /** Place on the axis: a number, milliseconds on a date axis, or null where categories or order decide. */
  x: number | null;
  y: number | null;
  name: string | null;
  colorIndex: number | null;
}

/** A run of points that belong together. */
export interface ChartSeries {
  name: string;
  type: ChartType;
  points: readonly ChartPoint[];
  colorIndex: number | null;
  /** Which y axis it is read on. */
  yAxis: number;
  /** How its numbers are read; null if unknown. */
  column: ShownColumn | null;
}

/** An axis. */
export interface ChartAxis {
  kind: 'linear' | 'logarithmic' | 'datetime' | 'category';
  title: string | null;
  categories: readonly string[] | null;
  rotation: number | null;
  labels: boolean;
  min: number | null;
  max: number | null;
  opposite: boolean;
  /** How its values are read; null if unknown. */
  column: ShownColumn | null;
}

/** A chart as we draw it: checked and complete, with all defaults set. */
export interface ChartModel {
  type: ChartType;
  title: string | null;
  subtitle: string | null;
  xAxis: ChartAxis;
  yAxes: readonly ChartAxis[];
  series: readonly ChartSeries[];
  legend: boolean;
  stacking: 'normal' | 'percent' | null;
  innerSize: string | null;
  dataLabels: boolean;
  valuePrefix: string;
  valueSuffix: string;
  valueDecimals: number | null;
  /** One tooltip for all series at a place. */
  sharedTooltip: boolean;
  /** The series are periods that are compared with each other, oldest first. */
  compared: boolean;
  /** Where the last period begins if the data do not fill it: milliseconds, or the category. */
  incomplete: number | string | null;
  /** The column whose values are the names of the series; null for series of several measures. */
  splitColumn: ShownColumn | null;
  /** The name of the category without a value; null if all have one. */
  empty: string | null;
  /** The names in the data of those that are drawn differently. For files only: none of them may be drawn. */
  exact: ReadonlyMap<string, string>;
  /** Where the first period begins if the data do not fill it, like the last one; null if they do. */
  incompleteFirst: number | null;
}

/** The names along the x axis: its categories, else the points' own names, else null. */
export function categoryNames(chart: ChartModel): readonly string[] | null {
  if (chart.xAxis.categories !== null) return chart.xAxis.categories;
  const first = chart.series[0];
  if (first === undefined || !first.points.some((point) => point.name !== null)) return null;
  return first.points.map((point, index) => point.name ?? String(index + 1));
}

/** The name of a slice of a pie. */
export function sliceName(point: ChartPoint, index: number, { xAxis }: ChartModel): string {
  return point.name ?? xAxis.categories?.[index] ?? String(index + 1);
}

/** The names of all slices of a pie. */
export function sliceNames(chart: ChartModel): string[] {
  return chart.series.flatMap(({ points }) => points.map((point, index) => sliceName(point, index, chart)));
}

/** The number of bars (or other marks) that are side by side along the x axis. */
export function categoryCount(chart: ChartModel): number {
  const longest = chart.series.reduce((most, series) => Math.max(most, series.points.length), 0);
  return Math.max(categoryNames(chart)?.length ?? 0, longest);
}

/** All values that are drawn. */
export function valuesOf(chart: ChartModel): number[] {
  return chart.series.flatMap(({ points }) => points.flatMap(({ y }) => (y === null ? [] : [y])));
}

/** The number of a chart that has only one; null if there are more. */
export function onlyValue(chart: ChartModel): { value: number; series: ChartSeries } | null {
  const [series] = chart.series;
  const value = series?.points[0]?.y;
  if (chart.series.length !== 1 || series?.points.length !== 1 || value === null || value === undefined)
    return null;
  return { value, series };
}
