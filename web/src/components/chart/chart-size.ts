import { categoryCount, type ChartModel } from './chart-model';

const rowHeight = 26;
const barHeight = 14;
const roomForAxes = 76;
/** How many names of a legend fit in a line, and the length up to which they do; longer ones have a line each. */
const shortNames = 3;
const shortName = 24;
// Browsers refuse to paint much taller drawings; beyond this the bars get thinner instead.
const tallest = 18_000;

/** How large a drawing is in px, and whether it may move while it appears. */
export interface DrawingSize {
  width: number;
  height: number;
  animate: boolean;
}

/** The border and space around a table next to a drawing, and its own border, on both sides. */
const aroundTable = 28;

/**
 * The maximum width of a column in a table that has this much space next to a drawing: two columns always fit, so a long
 * name never pushes the first number out of sight.
 */
export function columnBeside(space: number): number {
  return Math.min(176, Math.floor((space - aroundTable) / 2));
}

/** The height of the drawing: horizontal bars have rows of one height, all other charts have the given height. */
export function chartHeight(chart: ChartModel, height: number): number {
  if (chart.type !== 'bar') return height;
  const beside = chart.stacking === null ? chart.series.length : 1;
  const row = Math.max(rowHeight, beside * barHeight + 10);
  const inLine = chart.series.some(({ name }) => name.length > shortName) ? 1 : shortNames;
  const legend = chart.series.length > 1 ? 13 + 19 * Math.ceil(chart.series.length / inLine) : 0;
  return Math.min(tallest, Math.max(150, categoryCount(chart) * row + roomForAxes + legend));
}
