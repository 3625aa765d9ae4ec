import { type ChartModel, valuesOf } from './chart-model';

const allZeroMax = 1000;

/** Where the axis of values begins and ends, as far as it is ours to say. */
export interface ValueRange {
  min: number | null;
  max: number | null;
  /** The axis is of lengths but begins above or below zero: the reader is told. */
  isCut: boolean;
}

/**
 * The range of an axis of values. What is drawn as a length or an area begins at zero, for half a bar would be half
 * the value. A line tells of changes: it may begin higher where zero would flatten it, and then says so.
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

/** A round number at or below a value, for an axis of this extent. */
function roundedBelow(value: number, extent: number): number {
  const step =
    10 ** Math.floor(Math.log10(extent > 0 ? extent : Math.abs(value) || 1)) / (extent > 0 ? 2 : 1);
  return Math.max(0, Math.floor(value / step) * step);
}
