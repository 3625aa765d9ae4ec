import { Unfit } from '@/lib/shape';
import { type ChartModel, type ChartSeries } from './chart-model';
import { axisModel, columnsByName, seriesModel } from './chart-parts';
import { type ChartConfig, chartConfigSchema, type SeriesOptions } from './chart-schema';
import { droppedKeys } from './dropped-keys';

// Highcharts could draw more, but neither the page nor the reader would benefit.
const maxPoints = 10_000;
const maxText = 4_000_000;

/** A chart ready to draw with the keys that were left out, or why it cannot be drawn (for logs, not for the page). */
export type ChartParse = { ok: true; chart: ChartModel; dropped: string[] } | { ok: false; reason: string };

/** Reads a chart configuration, JSON text or parsed, by our allow-list. Never evaluates anything. */
export function parseChartConfig(config: unknown): ChartParse {
  try {
    const input = typeof config === 'string' ? readJson(config) : config;
    // Counted before the schema walks them, so that ten million points are refused cheaply.
    if (countPoints(input) > maxPoints) return { ok: false, reason: `more than ${maxPoints} points` };
    const read = chartConfigSchema.read(input, '');
    if (read instanceof Unfit)
      return {
        ok: false,
        reason: `${read.path === '' ? 'the configuration' : read.path} is not ${read.wanted}`,
      };
    return { ok: true, chart: toModel(read), dropped: droppedKeys(input, chartConfigSchema) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : 'unreadable configuration' };
  }
}

function readJson(text: string): unknown {
  if (text.length > maxText) throw new RangeError(`more than ${maxText} characters`);
  return JSON.parse(text) as unknown;
}

function countPoints(input: unknown): number {
  if (typeof input !== 'object' || input === null || !('series' in input)) return 0;
  const series: unknown = input.series;
  if (!Array.isArray(series)) return 0;
  return series.reduce((total: number, item: unknown) => {
    const data: unknown = typeof item === 'object' && item !== null && 'data' in item ? item.data : null;
    return total + (Array.isArray(data) ? data.length : 0);
  }, 0);
}

function toModel(config: ChartConfig): ChartModel {
  const type = typeOf(config);
  const said = config.parley ?? {};
  const columns = columnsByName(said.columns ?? []);
  const xAxis = axisModel(config.xAxis?.[0], config.series, 'x', columns.get(said.x ?? '') ?? null);
  const yAxes = (config.yAxis ?? [undefined]).map((axis) => axisModel(axis, config.series, 'y', null));
  const series = config.series.map((item, index) =>
    seriesModel(item, { index, type, xAxis, yAxisCount: yAxes.length, columns }),
  );
  const options = optionsFor(config, series);

  return {
    type,
    title: config.title ?? null,
    subtitle: config.subtitle ?? null,
    xAxis,
    yAxes,
    series,
    legend: config.legend?.enabled ?? (series.length > 1 || type === 'pie'),
    stacking: options.stacking ?? null,
    innerSize: options.innerSize ?? null,
    dataLabels: options.dataLabels?.enabled ?? false,
    ...tooltipModel(config),
    compared: said.compared ?? false,
    incomplete: said.incomplete ?? null,
    splitColumn: columns.get(said.split ?? '') ?? null,
    empty: said.empty ?? null,
    exact: new Map(said.exact),
    incompleteFirst: null,
  };
}

function typeOf({ type, chart, series }: ChartConfig): ChartModel['type'] {
  const written = type ?? chart?.type ?? series[0]?.type ?? 'line';
  // Highcharts' older way to lay columns on their side.
  return written === 'column' && chart?.inverted === true ? 'bar' : written;
}

function tooltipModel({ tooltip = {} }: ChartConfig) {
  return {
    valuePrefix: tooltip.valuePrefix ?? '',
    valueSuffix: tooltip.valueSuffix ?? '',
    valueDecimals: tooltip.valueDecimals ?? null,
    sharedTooltip: tooltip.shared ?? false,
  };
}

/** The options for all series, overridden by those for the type of the first series, as Highcharts does. */
function optionsFor(config: ChartConfig, series: readonly ChartSeries[]): SeriesOptions {
  const type = series[0]?.type ?? 'line';
  return { ...config.plotOptions?.series, ...config.plotOptions?.[type] };
}
