import type { LegendOptions } from 'highcharts';
import { type ChartModel, sliceNames } from './chart-model';
import { cutNames } from './cut-names';
import type { DrawingSize } from './chart-size';

/** In px of a character, as names are set beside slices and in a legend. */
const characterWidth = 7;
/** The mark of an entry and the space around it, in px. */
const besideEntry = 76;
/** What slices are as tall as leaves beside them, as a share of the height; and the line to a name with its share, in px. */
const sliceRadius = 0.35;
const besideSlice = 80;

/** Whether a legend says what is drawn: where it was asked for, and where slices have no room for their names beside them. */
export function hasLegend(chart: ChartModel, size: DrawingSize): boolean {
  if (chart.legend || chart.type !== 'pie') return chart.legend;
  const room = size.width / 2 - size.height * sliceRadius - besideSlice;
  return sliceNames(chart).some((name) => name.length * characterWidth > room);
}

/** One line for each name, so that none is on a second page of the legend: long ones that begin alike stay apart. */
export function legendOptions(chart: ChartModel, size: DrawingSize, enabled: boolean): LegendOptions {
  const names = chart.type === 'pie' ? sliceNames(chart) : chart.series.map(({ name }) => name);
  const show = cutNames(names, Math.max(12, Math.floor((size.width - besideEntry) / characterWidth)));
  return {
    enabled,
    labelFormatter(this: { name?: string | undefined }): string {
      return show(this.name ?? '');
    },
    itemStyle: { fontWeight: 'normal', color: 'var(--gray-12)' },
  };
}
