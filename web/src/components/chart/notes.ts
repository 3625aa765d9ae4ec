import { chart as t } from '@/messages/chart';
import type { ArrangedChart } from './arrange';
import { valueRange } from './axis-base';
import { incompleteText, timeWriter } from './place-names';

/**
 * What a reader must know about a drawing, on the page and in a picture of it: that its points are combined, a base
 * that is not zero, an incomplete period, what is left out. `grain` is the note on combined points.
 */
export function chartNotes({ chart, hidden }: ArrangedChart, grain: string | null): string[] {
  const period = incompleteText(chart);
  const first = chart.incompleteFirst === null ? null : timeWriter(chart.xAxis)(chart.incompleteFirst);
  return [
    ...(grain === null ? [] : [grain]),
    ...(chart.yAxes.some((_, place) => valueRange(chart, place).isCut) ? [t('note.base')] : []),
    ...(first === null ? [] : [t('note.incomplete', { period: first })]),
    ...(period === null ? [] : [t('note.incomplete', { period })]),
    ...(hidden > 0 ? [t('others.hidden', { count: hidden })] : []),
  ];
}
