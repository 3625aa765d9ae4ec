import type { SeriesOptionsType } from 'highcharts';
import { palette } from './palette';
import { sliceName, type ChartModel, type ChartPoint, type ChartSeries } from './chart-model';
import { isUnfilled } from './place-names';
import { asPlainText, changeText, percentage, valueFormat } from './value-format';

const labelStyle = { color: 'var(--gray-12)', textOutline: 'none', fontWeight: 'normal' };

/** The last periods of a comparison are in colour, earlier ones in paler tones. */
const comparedColors: Readonly<Record<number, readonly number[]>> = {
  2: [7, 0],
  3: [7, 5, 0],
  4: [7, 2, 5, 0],
};
/** The maximum number of bars that have their change next to them. */
const mostChanges = 12;

interface SeriesContext {
  chart: ChartModel;
  place: number;
  /** Lines have their names at their ends. */
  namesAtEnds: boolean;
}

/** One series of the chart, with only the options that we set. */
export function seriesOptions(series: ChartSeries, context: SeriesContext): SeriesOptionsType {
  const { chart, place } = context;
  const pie = series.type === 'pie';
  const color = series.colorIndex ?? comparedColor(chart, place) ?? place;
  const options = {
    type: series.type,
    name: asPlainText(series.name),
    ...(pie ? {} : { colorIndex: color % palette.length, color: colorOf(color), yAxis: series.yAxis }),
    data: series.points.map((point, index) => pointOptions(point, index, { ...context, color, pie })),
    ...zonesOf(series, chart),
    dataLabels: pie ? pieLabels(chart) : valueLabels(series, context),
    ...(pie && chart.innerSize !== null ? { innerSize: chart.innerSize } : {}),
  };
  // Highcharts' union wants one literal type per member; ours is checked by the schema instead.
  return options as unknown as SeriesOptionsType;
}

function comparedColor(chart: ChartModel, place: number): number | null {
  return chart.compared ? (comparedColors[chart.series.length]?.[place] ?? null) : null;
}

function pointOptions(
  point: ChartPoint,
  index: number,
  { chart, color, pie, namesAtEnds, place }: SeriesContext & { color: number; pie: boolean },
) {
  const last = namesAtEnds && index === lastOf(chart.series[place]);
  const open = isIncomplete(point, index, chart, place);
  return {
    y: point.y,
    ...(point.x === null ? {} : { x: point.x }),
    ...(pie || point.name !== null ? { name: asPlainText(sliceName(point, index, chart)) } : {}),
    ...(pie || point.colorIndex !== null ? { color: colorOf(point.colorIndex ?? index) } : {}),
    // The bar of an incomplete period is drawn as an outline.
    ...(open && !pie && !isLine(chart)
      ? {
          borderWidth: 1.5,
          borderColor: colorOf(color),
          dashStyle: 'ShortDash',
          color: `var(--chart-soft-${color % palette.length})`,
        }
      : {}),
    ...(last ? { dataLabels: nameLabel() } : {}),
  };
}

function isLine(chart: ChartModel): boolean {
  return ['line', 'spline', 'area', 'areaspline'].includes(chart.type);
}

function isIncomplete(point: ChartPoint, index: number, chart: ChartModel, place: number): boolean {
  const { incomplete, incompleteFirst } = chart;
  if (point.x !== null && point.x === incompleteFirst) return true;
  if (incomplete === null) return false;
  if (chart.compared) return isUnfilled(chart.series[place], chart);
  if (typeof incomplete === 'number') return point.x !== null && point.x >= incomplete;
  return chart.xAxis.categories?.[index] === incomplete;
}

/** The part of a line that leads to a period that is not complete is dashed. */
function zonesOf(series: ChartSeries, chart: ChartModel) {
  if (!isLine(chart)) return {};
  const dashed = { dashStyle: 'ShortDash' };
  const [opening, second] = series.points;
  const isOpening = opening !== undefined && opening.x !== null && opening.x === chart.incompleteFirst;
  const start =
    isOpening && second !== undefined && second.x !== null ? [{ value: second.x, ...dashed }] : [];
  // The first period may be incomplete as well, independently of the last one.
  const from = start.length;
  const first = series.points.findIndex(
    (point, index) => index >= from && isIncomplete(point, index, chart, 0),
  );
  const before = series.points[first - 1];
  const end = first < 1 || before === undefined ? [] : [{ value: before.x ?? first - 1 }, dashed];
  if (start.length + end.length === 0) return {};
  return { zoneAxis: 'x', zones: [...start, ...(end.length > 0 ? end : [{}])] };
}

function lastOf(series: ChartSeries | undefined): number {
  return series?.points.findLastIndex(({ y }) => y !== null) ?? -1;
}

function nameLabel() {
  return {
    enabled: true,
    align: 'left',
    verticalAlign: 'middle',
    x: 8,
    y: 0,
    crop: false,
    overflow: 'allow',
    allowOverlap: true,
    style: { ...labelStyle, fontSize: '12px' },
    formatter(this: { series: { name: string } }) {
      return this.series.name;
    },
  };
}

/** A colour of the palette; further series start again with the first colour. */
function colorOf(index: number): string {
  return `var(--highcharts-color-${index % palette.length})`;
}

function pieLabels(chart: ChartModel) {
  return {
    enabled: (chart.series[0]?.points.length ?? 0) <= 20,
    distance: 14,
    style: { ...labelStyle, fontSize: '12px' },
    formatter(this: { name?: string; percentage?: number }) {
      const share = percentage(Number((this.percentage ?? 0).toFixed(2)));
      // The legend names the slices already; names at the slices too would leave no space for the pie on a phone.
      return chart.legend ? share : `${this.name ?? ''} ${share}`;
    },
  };
}

/**
 * The change since the period before. For two columns it is at the end of the longer one: at the end of the shorter
 * one it would overlap its neighbour. Columns of negative values hang down, so the longer one is the lower one. For
 * three and more it would overlap one of them, so only the tooltip shows it; for horizontal bars it is next to the
 * last one, because there is not enough space for all.
 */
function changeAt(index: number, chart: ChartModel, place: number): string {
  const [from, own, to] = [place - 1, place, place + 1].map(
    (at) => chart.series[at]?.points[index]?.y ?? null,
  );
  const isLast = place === chart.series.length - 1;
  if (chart.series.length > 2 && (chart.type === 'column' || !isLast)) return '';
  const isPair = chart.series.length === 2 && chart.type === 'column';
  if (isUnfilled(chart.series[isPair ? 1 : place], chart)) return '';
  const isLonger = (first: number | null | undefined, second: number | null | undefined): boolean =>
    Math.abs(first ?? 0) > Math.abs(second ?? 0);
  if (place === 0) return isPair && isLonger(own, to) ? (changeText(own ?? null, to ?? null) ?? '') : '';
  if (isPair && isLonger(from, own)) return '';
  return changeText(from ?? null, own ?? null) ?? '';
}

function valueLabels(series: ChartSeries, { chart, place }: SeriesContext) {
  const style = { ...labelStyle, fontSize: '11px' };
  if (chart.compared && chart.series.length > 1 && series.points.length <= mostChanges) {
    return {
      enabled: true,
      style,
      // The two bars of a pair are narrower than the text above them.
      crop: false,
      overflow: 'allow',
      formatter(this: { index?: number; point?: { index: number } }) {
        return changeAt(this.point?.index ?? this.index ?? 0, chart, place);
      },
    };
  }
  const format = valueFormat(chart, series);
  const fits = chart.type === 'bar' && chart.series.length === 1;
  return {
    enabled: chart.dataLabels || fits,
    style,
    ...(fits ? { crop: false, overflow: 'allow' } : {}),
    formatter(this: { y?: number | null }) {
      // Three digits are enough to distinguish bars; the tooltip and the table have all digits.
      return typeof this.y === 'number' ? asPlainText(format.short(Number(this.y.toPrecision(3)))) : '';
    },
  };
}
