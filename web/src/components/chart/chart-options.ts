import type { Options, SeriesOptionsType, XAxisOptions, YAxisOptions } from 'highcharts';

import { asPlainText, percentage, shortNumber } from './chart-format';
import { categoryCount, type ChartAxis, type ChartModel, type ChartSeries } from './chart-model';
import { tooltipFormatter } from './chart-tooltip';

const barsBeforeRotation = 15;
const rotation = -45;
const allZeroMax = 1000;

const labelStyle = { color: 'var(--gray-12)', textOutline: 'none', fontWeight: 'normal' };

/** Colours of the palette; series beyond them begin again. */
const paletteSize = 10;

/** Half a label such as `Dec 2025`, which stands under the last point of a time line. */
const roomForDate = 34;

/** What Highcharts gets. Written here whole from the checked model: nothing of the configuration passes through. */
export function chartOptions(chart: ChartModel, size: { height: number; animate: boolean }): Options {
  const xNames = chart.series.some((series) => series.points.some((point) => point.name !== null));
  return {
    chart: {
      type: chart.type,
      height: size.height,
      animation: false,
      backgroundColor: 'transparent',
      style: { fontFamily: 'var(--default-font-family)' },
      spacing: [12, chart.xAxis.kind === 'datetime' ? roomForDate : 12, 8, 4],
    },
    palette: { injectCSS: false },
    title: { text: '' },
    credits: { enabled: false },
    accessibility: { enabled: false },
    legend: { enabled: chart.legend, labelFormatter: legendText },
    xAxis: xAxisOptions(chart, xNames),
    yAxis: chart.yAxes.map((axis) => yAxisOptions(axis, chart)),
    tooltip: {
      useHTML: false,
      outside: false,
      shared: chart.sharedTooltip,
      formatter: tooltipFormatter(chart),
    },
    plotOptions: {
      series: {
        animation: size.animate ? { duration: 250 } : false,
        ...(chart.stacking === null || chart.type === 'pie' ? {} : { stacking: chart.stacking }),
        turboThreshold: 0,
        marker: { symbol: 'circle', radius: 3 },
      },
      line: { lineWidth: 2, marker: { enabled: categoryCount(chart) <= 40 } },
      spline: { lineWidth: 2, marker: { enabled: categoryCount(chart) <= 40 } },
      area: { fillOpacity: 0.2, marker: { enabled: false } },
      areaspline: { fillOpacity: 0.2, marker: { enabled: false } },
      column: { borderWidth: 0, borderRadius: 2, maxPointWidth: 48 },
      bar: { borderWidth: 0, borderRadius: 2, maxPointWidth: 28 },
      pie: { borderWidth: 1, borderColor: 'var(--chart-background)', showInLegend: chart.legend },
    },
    series: chart.series.map((series, index) => seriesOptions(series, index, chart)),
  };
}

function legendText(this: { name?: string | undefined }): string {
  return asPlainText(this.name ?? '');
}

function xAxisOptions(chart: ChartModel, named: boolean): XAxisOptions {
  const axis = chart.xAxis;
  const many = categoryCount(chart) > barsBeforeRotation && axis.kind !== 'datetime';
  const kind = axis.kind === 'linear' && named ? 'category' : axis.kind;
  // The names of lying bars stand beside them, one below the other, and have room as they are.
  const angle = chart.type === 'bar' ? undefined : (axis.rotation ?? (many ? rotation : undefined));
  const dates = axis.kind === 'datetime';
  return {
    type: kind,
    title: { text: axis.title === null ? '' : asPlainText(axis.title) },
    ...(axis.categories === null ? {} : { categories: axis.categories.map(asPlainText) }),
    ...(axis.min === null ? {} : { min: axis.min }),
    ...(axis.max === null ? {} : { max: axis.max }),
    labels: {
      enabled: axis.labels,
      ...(angle === undefined ? {} : { rotation: angle }),
      style: { fontSize: '12px', textOverflow: 'ellipsis' },
      // The last date stands half behind the end of the axis, where it has room; squeezed in, it would be cut.
      ...(dates ? { overflow: 'allow' as const } : {}),
      // Dates keep Highcharts' own steps (day, month, year); the rest is our text or our number.
      ...(dates || kind === 'category' ? {} : { formatter: axisNumber }),
    },
  };
}

function axisNumber(this: { value: number | string }): string {
  return typeof this.value === 'number' ? shortNumber(this.value) : asPlainText(this.value);
}

function yAxisOptions(axis: ChartAxis, chart: ChartModel): YAxisOptions {
  const suffix = chart.stacking === 'percent' || chart.valueSuffix.trim() === '%' ? '%' : '';
  const max = isAllZero(chart) ? Math.max(allZeroMax, axis.max ?? 0) : axis.max;
  return {
    type: axis.kind === 'logarithmic' ? 'logarithmic' : 'linear',
    title: { text: axis.title === null ? '' : asPlainText(axis.title) },
    opposite: axis.opposite,
    ...(axis.min === null ? {} : { min: axis.min }),
    ...(max === null ? {} : { max }),
    ...(chart.type === 'bar' ? { tickPixelInterval: 110 } : {}),
    labels: {
      enabled: axis.labels,
      style: { fontSize: '12px', textOverflow: 'none' },
      formatter: ({ value }) =>
        `${typeof value === 'number' ? shortNumber(value) : asPlainText(value)}${suffix}`,
    },
  };
}

function isAllZero(chart: ChartModel): boolean {
  return chart.series.every((series) => series.points.every((point) => point.y === 0 || point.y === null));
}

function seriesOptions(series: ChartSeries, index: number, chart: ChartModel): SeriesOptionsType {
  const pie = series.type === 'pie';
  const options = {
    type: series.type,
    name: asPlainText(series.name),
    ...(pie
      ? {}
      : {
          colorIndex: (series.colorIndex ?? index) % paletteSize,
          color: colorOf(series.colorIndex ?? index),
          yAxis: series.yAxis,
        }),
    data: series.points.map((point, place) => ({
      y: point.y,
      ...(point.x === null ? {} : { x: point.x }),
      ...(pie || point.name !== null
        ? { name: asPlainText(point.name ?? chart.xAxis.categories?.[place] ?? String(place + 1)) }
        : {}),
      ...(pie || point.colorIndex !== null ? { color: colorOf(point.colorIndex ?? place) } : {}),
    })),
    dataLabels: pie ? pieLabels(chart) : valueLabels(chart),
    ...(pie && chart.innerSize !== null ? { innerSize: chart.innerSize } : {}),
  };
  // Highcharts' union wants one literal type per member; ours is checked by the schema instead.
  return options as SeriesOptionsType;
}

function colorOf(index: number): string {
  return `var(--highcharts-color-${index % paletteSize})`;
}

function pieLabels(chart: ChartModel) {
  return {
    enabled: (chart.series[0]?.points.length ?? 0) <= 20,
    distance: 14,
    style: { ...labelStyle, fontSize: '12px' },
    formatter(this: { name?: string; percentage?: number }) {
      const share = percentage(this.percentage ?? 0);
      // The legend names the slices already; twice would leave no room for the pie on a phone.
      return chart.legend ? share : `${this.name ?? ''} ${share}`;
    },
  };
}

function valueLabels(chart: ChartModel) {
  return {
    enabled: chart.dataLabels,
    style: { ...labelStyle, fontSize: '11px' },
    formatter(this: { y?: number | null }) {
      return typeof this.y === 'number' ? shortNumber(this.y) : '';
    },
  };
}
