import { categoryCount, type ChartModel } from './chart-model';

const heightPerBar = 60;
const roomForAxes = 80;
// Browsers refuse to paint much taller drawings; beyond this the bars get thinner instead.
const tallest = 18_000;

/** How tall the drawing is: lying bars need room per category, everything else takes the given height. */
export function chartHeight(chart: ChartModel, height: number): number {
  if (chart.type !== 'bar') return height;
  return Math.min(tallest, Math.max(200, categoryCount(chart) * heightPerBar + roomForAxes));
}
