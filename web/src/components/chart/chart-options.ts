import type { Options } from 'highcharts';
import { shareCeiling } from './axis-base';
import { xAxisOptions, yAxisOptions } from './chart-axes';
import { categoryCount, type ChartModel } from './chart-model';
import { hasLegend, legendOptions } from './chart-legend';
import { seriesOptions } from './chart-series';
import type { DrawingSize } from './chart-size';
import { tooltipFormatter } from './chart-tooltip';
import { directLabelWidth } from './direct-labels';
import type { PressedMark } from './pressed-mark';

/** Half the width of a label such as `Dec 2025` under the last point of a time line. */
const roomForDate = 34;
/** The width of a value such as `98.25%` next to a bar that reaches the end of its axis. */
const roomForShare = 56;

/**
 * The options for Highcharts. All of them are built here from the checked model: nothing is passed on from the
 * configuration.
 */
export function chartOptions(chart: ChartModel, size: DrawingSize, onPress?: PressHandler): Options {
  const names = directLabelWidth(chart, size);
  const legend = hasLegend(chart, size) && names === null;
  const shownMarkers = { marker: { enabled: categoryCount(chart) <= 40 } };
  return {
    chart: {
      type: chart.type,
      height: size.height,
      animation: false,
      backgroundColor: 'transparent',
      style: { fontFamily: 'var(--default-font-family)' },
      spacing: [12, names ?? roomBeside(chart), 8, 4],
    },
    palette: { injectCSS: false },
    title: { text: '' },
    credits: { enabled: false },
    accessibility: { enabled: false },
    legend: legendOptions(chart, size, legend),
    xAxis: xAxisOptions(chart, size.width),
    yAxis: chart.yAxes.map((axis, place) => yAxisOptions(axis, place, chart)),
    tooltip: {
      useHTML: false,
      outside: false,
      shared: chart.sharedTooltip || chart.compared,
      formatter: tooltipFormatter(chart),
    },
    plotOptions: {
      series: {
        animation: size.animate ? { duration: 250 } : false,
        ...(chart.stacking === null || chart.type === 'pie' ? {} : { stacking: chart.stacking }),
        turboThreshold: 0,
        marker: { symbol: 'circle', radius: 3 },
        ...(onPress === undefined ? {} : pressOptions(onPress)),
      },
      line: { lineWidth: 2, ...shownMarkers },
      spline: { lineWidth: 2, ...shownMarkers },
      area: { fillOpacity: 0.2, marker: { enabled: false } },
      areaspline: { fillOpacity: 0.2, marker: { enabled: false } },
      column: { borderWidth: 0, borderRadius: 2, maxPointWidth: 48 },
      bar: { borderWidth: 0, borderRadius: 2, maxPointWidth: 18, pointPadding: 0.05, groupPadding: 0.12 },
      pie: { borderWidth: 1, borderColor: 'var(--chart-background)', showInLegend: legend },
    },
    series: chart.series.map((series, place) =>
      seriesOptions(series, { chart: { ...chart, legend }, place, namesAtEnds: names !== null }),
    ),
  };
}

/** Called with the mark that is pressed. */
export type PressHandler = (mark: PressedMark) => void;

interface MarkSeries {
  index: number;
  chart?: { tooltip?: { hide: (delay: number) => void } };
}

function pressOptions(onPress: PressHandler) {
  return {
    cursor: 'pointer' as const,
    point: {
      events: {
        click(this: { index: number; series: MarkSeries }, event: unknown) {
          const { clientX, clientY } = event as MouseEvent;
          // The popup is at the same place.
          this.series.chart?.tooltip?.hide(0);
          onPress({ series: this.series.index, point: this.index, left: clientX, top: clientY });
        },
      },
    },
  };
}

/** The space to the right of the axes, in px. */
function roomBeside(chart: ChartModel): number {
  if (chart.xAxis.kind === 'datetime') return roomForDate;
  return chart.type === 'bar' && shareCeiling(chart, 0) !== null ? roomForShare : 12;
}
