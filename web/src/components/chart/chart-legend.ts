import type { LegendOptions } from 'highcharts';
import { type ChartModel, sliceNames } from './chart-model';
import { cutNames } from './cut-names';
import type { DrawingSize } from './chart-size';

/** The width of a character of the names next to slices and in a legend, in px. */
const characterWidth = 7;
/** The mark of an entry and the space around it, in px. */
const besideEntry = 76;
/** The radius of a pie, as a share of the height, and the space for the line to a name with its share, in px. */
const sliceRadius = 0.35;
const besideSlice = 80;

/** Whether there is a legend: if it was asked for, or if the names of slices do not fit next to them. */
export function hasLegend(chart: ChartModel, size: DrawingSize): boolean {
  if (chart.legend || chart.type !== 'pie') return chart.legend;
  const room = size.width / 2 - size.height * sliceRadius - besideSlice;
  return sliceNames(chart).some((name) => name.length * characterWidth > room);
}

/**
 * Names are cut to one line each, so that none is on a second page of the legend; long names that begin alike stay
 * distinct.
 */
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
