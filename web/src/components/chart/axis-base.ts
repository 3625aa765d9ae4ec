import { type ChartModel, type ChartSeries, valuesOf } from './chart-model';

const allZeroMax = 1000;

/** Where the axis of values begins and ends, if we set it. */
export interface ValueRange {
  min: number | null;
  max: number | null;
  /** The axis does not begin at zero: the reader must be told. */
  isCut: boolean;
}

/**
 * The range of an axis of values. What is drawn as a length or an area begins at zero, because half a bar would be
 * read as half the value. A line shows changes: its axis may begin higher if zero would flatten it; the chart then
 * says so.
 */
export function valueRange(chart: ChartModel, axis: number): ValueRange {
  const { min, max, kind } = chart.yAxes[axis] ?? { min: null, max: null, kind: 'linear' };
  const series = chart.series.filter((each) => each.yAxis === axis);
  const values = valuesOf({ ...chart, series });
  if (kind === 'logarithmic' || values.length === 0) return { min, max, isCut: false };
  const low = values.reduce((least, value) => Math.min(least, value));
  const high = values.reduce((most, value) => Math.max(most, value));
  if (low === 0 && high === 0) return { min, max: Math.max(allZeroMax, max ?? 0), isCut: false };
  if (series.every(({ type }) => type === 'scatter')) return { min, max, isCut: false };
  const isLine = series.every(({ type }) => type === 'line' || type === 'spline') && chart.stacking === null;
  if (!isLine) return { min: low < 0 ? min : 0, max: high <= 0 ? (max ?? 0) : max, isCut: false };
  if (low < 0) return { min, max, isCut: false };
  // A line that stays in the upper half of the axis would be flat; from a third down it reads well from zero.
  const flat = low > high * 0.6;
  if (min !== null && min > 0) return { min, max, isCut: true };
  return flat
    ? { min: roundedBelow(low - (high - low) * 0.15, high - low), max, isCut: true }
    : { min: 0, max, isCut: false };
}

/** Whether the values of an axis are on both sides of zero, so that zero is not the edge of the drawing. */
export function crossesZero(chart: ChartModel, axis: number): boolean {
  const { kind } = chart.yAxes[axis] ?? { kind: 'linear' };
  if (chart.type === 'pie' || chart.type === 'scatter' || kind === 'logarithmic') return false;
  const values = valuesOf({ ...chart, series: chart.series.filter((each) => each.yAxis === axis) });
  return values.some((value) => value < 0);
}

/** A round number at or below a value, for an axis of this extent. */
function roundedBelow(value: number, extent: number): number {
  const step =
    10 ** Math.floor(Math.log10(extent > 0 ? extent : Math.abs(value) || 1)) / (extent > 0 ? 2 : 1);
  return Math.max(0, Math.floor(value / step) * step);
}

/** The whole that percentages are parts of, and how far rounded parts may add up beyond it. */
const whole = 100;
const rounding = 0.5;

/**
 * The maximum of an axis of shares: parts of a whole are never more than the whole, so the axis has no 120 %. Null
 * for other values, and for rates that are higher.
 */
export function shareCeiling(chart: ChartModel, axis: number): number | null {
  const series = chart.series.filter((each) => each.yAxis === axis);
  if (series.length === 0 || !series.every((each) => isPercent(each, chart))) return null;
  const heights = chart.stacking === 'normal' ? stackHeights(series) : valuesOf({ ...chart, series });
  const highest = heights.reduce((most, value) => Math.max(most, value), 0);
  return highest <= whole + (chart.stacking === 'normal' ? rounding : 0) ? whole : null;
}

function isPercent({ column }: ChartSeries, chart: ChartModel): boolean {
  return column === null ? chart.valueSuffix.trim() === '%' : column.format === 'percent';
}

/** The height of the stack at each place. */
function stackHeights(series: readonly ChartSeries[]): number[] {
  const heights = new Map<number, number>();
  for (const { points } of series)
    points.forEach(({ x, y }, index) => {
      const at = x ?? index;
      heights.set(at, (heights.get(at) ?? 0) + Math.max(0, y ?? 0));
    });
  return [...heights.values()];
}
