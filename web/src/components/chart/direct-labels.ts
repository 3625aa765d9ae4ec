import { type ChartModel, valuesOf } from './chart-model';
import { valueRange } from './axis-base';

/** Up to this number of series have their names at their ends instead of in a legend. */
const mostNamed = 4;
const characterWidth = 6.6;
const mostWidth = 150;
/** The distance that two names need, in px. */
const lineHeight = 16;

/**
 * The width in px of the names at the ends of lines; null if they do not fit and a legend is needed: too many
 * series, ends too close to each other, or too little space.
 */
export function directLabelWidth(chart: ChartModel, size: { width: number; height: number }): number | null {
  const count = chart.series.length;
  const drawn = chart.series.every(({ type }) => type === 'line' || type === 'spline');
  if (count < 2 || count > mostNamed || !drawn || chart.stacking !== null || chart.yAxes.length > 1)
    return null;
  const longest = chart.series.reduce((most, { name }) => Math.max(most, name.length), 0);
  const width = Math.min(mostWidth, Math.ceil(longest * characterWidth) + 14);
  if (longest * characterWidth > mostWidth || size.width < 4 * width) return null;

  const values = valuesOf(chart);
  const { min } = valueRange(chart, 0);
  const low = min ?? Math.min(...values);
  const extent = Math.max(...values) - low;
  const ends = chart.series
    .map(({ points }) => points.findLast(({ y }) => y !== null)?.y ?? null)
    .filter((end) => end !== null)
    .sort((a, b) => a - b);
  if (ends.length < count || extent <= 0) return null;
  const perPx = extent / Math.max(1, size.height - 90);
  const apart = ends.every(
    (end, place) => place === 0 || (end - (ends[place - 1] ?? 0)) / perPx >= lineHeight,
  );
  return apart ? width : null;
}
