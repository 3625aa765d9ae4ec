import { isTime, periodFormat, timeOf } from '@/lib/period';
import type { ChartAxis, ChartModel, ChartPoint } from './chart-model';

/** How times along an axis are written: by the column's format, else with their parts that are not zero. */
export function timeWriter(axis: ChartAxis): (time: number) => string {
  const format = axis.column?.format;
  if (format !== undefined && isTime(format)) return periodFormat(format);
  const day = periodFormat('date');
  const moment = periodFormat('timestamp');
  return (time) => (time % 86_400_000 === 0 ? day(time) : moment(time));
}

/** A category as people read it: `2026-01` of a month is `Jan 2026`; anything else stays as it is. */
export function categoryText(name: string, axis: Pick<ChartAxis, 'column'>): string {
  const format = axis.column?.format;
  if (format === undefined || !isTime(format) || format === 'year') return name;
  const time = timeOf(name);
  return time === null ? name : periodFormat(format)(time);
}

/** The position of a point, in words. */
export function placeText(
  point: ChartPoint,
  index: number,
  names: readonly string[] | null,
  chart: ChartModel,
): string {
  if (point.name !== null) return point.name;
  if (point.x !== null && chart.xAxis.kind === 'datetime') return timeWriter(chart.xAxis)(point.x);
  return names?.[point.x ?? index] ?? String(point.x ?? index + 1);
}

/** The first period that the data do not fill, in words; null if all are complete. */
export function incompleteText(chart: ChartModel): string | null {
  const { incomplete } = chart;
  if (incomplete === null) return null;
  return typeof incomplete === 'number'
    ? timeWriter(chart.xAxis)(incomplete)
    : categoryText(incomplete, periodsOf(chart));
}

/** The column of the periods: of the axis, or of the series if periods are compared side by side. */
export function periodsOf(chart: ChartModel): Pick<ChartAxis, 'column'> {
  return chart.compared ? { column: chart.splitColumn } : chart.xAxis;
}

/** Whether an incomplete period is compared with others: its change from the one before means nothing yet. */
export function isUnfilled(series: { name: string } | undefined, chart: ChartModel): boolean {
  return chart.compared && chart.incomplete !== null && series?.name === chart.incomplete;
}
