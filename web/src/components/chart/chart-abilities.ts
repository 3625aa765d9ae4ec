import type { ShownColumn } from '@/lib/wire';
import type { ChartModel } from './chart-model';

// What decides whether a menu of a chart is there, without what the menu has, which is loaded when it is opened.

/**
 * Whether a chart can be drawn in another form. None can for a scatter, a comparison, shares of 100 %, several axes, and
 * several kinds of marks.
 */
export function mayChange({ type, compared, stacking, yAxes, series }: ChartModel): boolean {
  return (
    type !== 'scatter' &&
    !compared &&
    stacking !== 'percent' &&
    yAxes.length < 2 &&
    series.length > 0 &&
    series.every((each) => each.type === type)
  );
}

/** Whether the values of a column have names that a question can use: a week and a bin have none. */
export function isNamed(column: ShownColumn | null): column is ShownColumn {
  switch (column?.role) {
    case 'time':
      return ['date', 'month', 'quarter', 'year'].includes(column.format);
    case 'category':
    case 'key':
      return column.format === 'text';
    default:
      return false;
  }
}
