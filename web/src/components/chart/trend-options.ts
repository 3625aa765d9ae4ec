import type { Chart, Options, SeriesLineOptions } from 'highcharts';
import { locale } from '@/lib/locale';
import { palette } from './palette';
import { asPlainText } from './value-format';

/** A line of a trend. */
export interface TrendLine {
  readonly name: string;
  /** Its place in the palette. It stays the same when other lines come and go. */
  readonly color: number;
  /** Time in ms and value; nothing is drawn at `null`. */
  readonly points: readonly (readonly [at: number, value: number | null])[];
}

interface Trend {
  lines: readonly TrendLine[];
  from: number;
  to: number;
  format: (value: number) => string;
  whole?: boolean;
}

const minute = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const second = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', second: '2-digit' });
const labelStyle = { fontSize: '12px', color: 'var(--gray-11)' };
/** The height of the drawing in px. */
const height = 168;
/** From the ninth line on, colours repeat with another pattern. */
const dashes = ['Solid', 'ShortDash', 'Dot'] as const;

/** The colour of a place in the palette. */
export function trendColor(place: number): string {
  return `var(--highcharts-color-${place % palette.length})`;
}

/** The point of the tooltip, as the library passes it. */
interface TooltipPoint {
  x?: number;
  y?: number | null;
  series: { name: string };
  points?: readonly TooltipPoint[];
}

/** The options for Highcharts of some lines over the last minutes. */
export function trendOptions({ lines, from, to, format, whole = false }: Trend): Options {
  return {
    chart: {
      type: 'line',
      height,
      animation: false,
      backgroundColor: 'transparent',
      style: { fontFamily: 'var(--default-font-family)' },
      spacing: [8, 16, 8, 8],
    },
    palette: { injectCSS: false },
    title: { text: '' },
    credits: { enabled: false },
    accessibility: { enabled: false },
    // The table above has the names with their colours.
    legend: { enabled: false },
    xAxis: {
      type: 'datetime',
      min: from,
      max: to,
      tickPixelInterval: 110,
      tickLength: 4,
      tickColor: 'var(--gray-6)',
      lineColor: 'var(--gray-8)',
      minTickInterval: 60_000,
      labels: {
        style: labelStyle,
        formatter: ({ value }: { value: number | string }) => minute.format(Number(value)),
      },
    },
    yAxis: {
      title: { text: '' },
      allowDecimals: !whole,
      gridLineColor: 'var(--gray-4)',
      tickAmount: 4,
      ...(whole ? { min: 0, softMax: 3 } : { softMin: 0, softMax: 1 }),
      labels: {
        style: labelStyle,
        formatter: ({ value }: { value: number | string }) => asPlainText(format(Number(value))),
      },
    },
    tooltip: { useHTML: false, outside: false, shared: true, formatter: tooltip(format) },
    plotOptions: {
      series: {
        animation: false,
        turboThreshold: 0,
        lineWidth: 2,
        marker: { symbol: 'circle', radius: 2 },
        states: { inactive: { enabled: false } },
      },
    },
    series: lines.map(seriesOf),
  };
}

function seriesOf({ name, color, points }: TrendLine): SeriesLineOptions {
  return {
    type: 'line',
    name: asPlainText(name),
    color: trendColor(color),
    dashStyle: dashes[Math.floor(color / palette.length) % dashes.length] ?? 'Solid',
    data: points.map(([at, value]): [number, number | null] => [at, value]),
  };
}

/**
 * Shows the newest points in a drawing. Lines are only ever added. `Chart.update` would be shorter; it needs a part
 * of the library that ours does not have.
 */
export function moveOn(drawing: Chart, { lines, from, to }: Pick<Trend, 'lines' | 'from' | 'to'>): void {
  for (const [place, line] of lines.entries()) {
    const options = seriesOf(line);
    const series = drawing.series[place];
    if (series) series.setData(options.data ?? [], false, false, false);
    else drawing.addSeries(options, false, false);
  }
  drawing.xAxis[0]?.setExtremes(from, to, false, false);
  drawing.redraw(false);
}

/** The time, and a line for each series; names were escaped when the series were built. */
function tooltip(format: (value: number) => string) {
  return function (this: unknown): string {
    const point = this as TooltipPoint;
    const lines = (point.points ?? [point]).map(
      ({ series, y }) => `${series.name}: <b>${typeof y === 'number' ? asPlainText(format(y)) : '–'}</b>`,
    );
    return [second.format(point.x), ...lines].join('<br>');
  };
}
