import type { ChartModel } from './chart-model';

/**
 * The maximum number of points of a line that are drawn singly if there is enough space; bars need more space each.
 */
const mostPoints = 400;
const mostBars = 200;
const leastPoints = 120;
/** The width of a point of a line, in px, in a drawing that is too narrow for the maximum. */
const pointWidth = 1.6;

/** How a chart is drawn that has more points than fit in a drawing. */
export interface CoarseChart {
  chart: ChartModel;
  /** The note on it; null if all points are drawn. */
  note: string | null;
}

interface Measured {
  /** All times at which any series has a point, in order. */
  places: readonly number[];
  isBars: boolean;
  /** The number of points, or of bars, for which there is enough space. */
  room: number;
  /** Whether there are more. */
  isFull: boolean;
}

/** How many points a chart has, and how many a drawing of this width has space for. */
export function measured(chart: ChartModel, width: number): Measured {
  const isBars = chart.series.some(({ type }) => type === 'column' || type === 'bar');
  const room = roomFor(width, isBars);
  if (chart.xAxis.kind !== 'datetime' || chart.type === 'scatter')
    return { places: [], isBars, room, isFull: false };
  const places = placesOf(chart);
  const drawn = isBars ? chart.series.reduce((sum, { points }) => sum + points.length, 0) : places.length;
  return { places, isBars, room, isFull: drawn > room };
}

function roomFor(width: number, isBars: boolean): number {
  const most = isBars ? mostBars : mostPoints;
  return Math.round(Math.min(most, Math.max(leastPoints, width / (isBars ? 2 * pointWidth : pointWidth))));
}

/** All times at which any series has a point, in order. */
function placesOf(chart: ChartModel): number[] {
  const all = new Set<number>();
  for (const { points } of chart.series) for (const { x } of points) if (x !== null) all.add(x);
  return [...all].sort((a, b) => a - b);
}
