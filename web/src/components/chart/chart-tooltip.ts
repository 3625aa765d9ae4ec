import { asPlainText, dateText, fullNumber, percentage, shortNumber } from './chart-format';
import type { ChartModel } from './chart-model';

/** What the chart library knows of the point that is pointed at. */
interface TooltipPoint {
  x?: number | string;
  y?: number | null;
  name?: string;
  category?: number | string;
  percentage?: number;
  series: { name: string };
  /** All points at this place, when the tooltip is shared. */
  points?: readonly TooltipPoint[];
}

/**
 * The text of the tooltip. The two tags in it are ours; names and categories were made plain when they went into
 * the chart, and the values are made plain here.
 */
export function tooltipFormatter(chart: ChartModel) {
  return function (this: unknown): string {
    const point = this as TooltipPoint;
    const at = tooltipPlace(point, chart);
    const lines = (point.points ?? [point]).map((each) => valueLine(each, chart));
    return (at === '' ? lines : [at, ...lines]).join('<br>');
  };
}

function valueLine(point: TooltipPoint, chart: ChartModel): string {
  const value = typeof point.y === 'number' ? asPlainText(fullNumber(point.y, chart)) : 'no value';
  const share = point.percentage === undefined ? '' : ` (${percentage(point.percentage)})`;
  return `${point.series.name}: <b>${value}</b>${share}`;
}

function tooltipPlace(point: TooltipPoint, chart: ChartModel): string {
  if (chart.xAxis.kind === 'datetime' && typeof point.x === 'number') return dateText(point.x);
  if (point.name !== undefined && point.name !== '') return point.name;
  if (typeof point.category === 'string') return point.category;
  return typeof point.x === 'number' ? shortNumber(point.x) : '';
}
