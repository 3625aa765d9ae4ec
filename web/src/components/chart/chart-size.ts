import { categoryCount, type ChartModel } from './chart-model';

const rowHeight = 26;
const barHeight = 14;
const roomForAxes = 76;
// Browsers refuse to paint much taller drawings; beyond this the bars get thinner instead.
const tallest = 18_000;

/** How tall the drawing is: lying bars have rows of one height, everything else takes the given height. */
export function chartHeight(chart: ChartModel, height: number): number {
  if (chart.type !== 'bar') return height;
  const beside = chart.stacking === null ? chart.series.length : 1;
  const row = Math.max(rowHeight, beside * barHeight + 10);
  const legend = chart.series.length > 1 ? 32 : 0;
  return Math.min(tallest, Math.max(150, categoryCount(chart) * row + roomForAxes + legend));
}
