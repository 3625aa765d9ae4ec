import { quantityFormat } from '@/lib/quantity';
import { chart as t } from '@/messages/chart';
import type { ChartModel, ChartSeries } from './chart-model';
import { pointsOf } from './difference';
import { isUnfilled, timeWriter } from './place-names';
import { asPlainText, changeText, percentage, valueFormat } from './value-format';

/** The chart library's data of the point under the pointer. */
interface TooltipPoint {
  x?: number | string;
  y?: number | null;
  index?: number;
  name?: string;
  category?: number | string;
  percentage?: number;
  series: { name: string; index?: number };
  /** All points at this place, when the tooltip is shared. */
  points?: readonly TooltipPoint[];
}

/**
 * The text of the tooltip. The two tags in it are ours; names and categories were escaped when the chart was built,
 * and the values are escaped here.
 */
export function tooltipFormatter(chart: ChartModel) {
  const writeTime = timeWriter(chart.xAxis);
  return function (this: unknown): string {
    const point = this as TooltipPoint;
    const at = placeOf(point, chart, writeTime);
    const points = point.points ?? [point];
    const lines = points.map((each) => valueLine(each, chart));
    const change = chart.compared ? changeLine(points, chart) : null;
    return [...(at === '' ? [] : [at]), ...lines, ...(change === null ? [] : [change])].join('<br>');
  };
}

function seriesOf(point: TooltipPoint, chart: ChartModel): ChartSeries | undefined {
  return chart.series[point.series.index ?? 0];
}

function valueLine(point: TooltipPoint, chart: ChartModel): string {
  const format = valueFormat(chart, seriesOf(point, chart));
  const value = typeof point.y === 'number' ? asPlainText(format.full(point.y)) : t('no.value');
  const share = point.percentage === undefined ? '' : ` (${percentage(point.percentage)})`;
  return `${point.series.name}: <b>${value}</b>${share}`;
}

/** The difference of the last period to the one before. */
function changeLine(points: readonly TooltipPoint[], chart: ChartModel): string | null {
  const [from, to] = points.slice(-2);
  if (typeof from?.y !== 'number' || typeof to?.y !== 'number') return null;
  const series = seriesOf(to, chart);
  if (isUnfilled(series, chart)) return null;
  const inPoints = pointsOf(series?.column);
  const format = inPoints ? quantityFormat(inPoints.kind, { decimals: 2 }) : valueFormat(chart, series);
  const difference = format.full((to.y - from.y) * (inPoints?.times ?? 1));
  const share = changeText(from.y, to.y);
  const sign = to.y > from.y ? '+' : '';
  return `${t('column.difference')}: <b>${asPlainText(sign + difference)}</b>${share === null ? '' : ` (${share})`}`;
}

function placeOf(point: TooltipPoint, chart: ChartModel, writeTime: (time: number) => string): string {
  if (chart.xAxis.kind === 'datetime' && typeof point.x === 'number') return asPlainText(writeTime(point.x));
  if (point.name !== undefined && point.name !== '') return point.name;
  if (typeof point.category === 'string') return point.category;
  if (typeof point.x !== 'number') return '';
  const { column } = chart.xAxis;
  const x = valueFormat(chart, column === null ? undefined : { ...emptySeries, column }).full(point.x);
  return asPlainText(chart.xAxis.title === null ? x : `${chart.xAxis.title}: ${x}`);
}

const emptySeries: Omit<ChartSeries, 'column'> = {
  name: '',
  type: 'scatter',
  points: [],
  colorIndex: null,
  yAxis: 0,
};
