import { chart as t } from '@/messages/chart';
import type { ArrangedChart } from './arrange';
import { valueRange } from './axis-base';
import type { ChartModel } from './chart-model';
import { incompleteText, timeWriter } from './place-names';
import { valueFormat } from './value-format';

/**
 * What a reader must know about a drawing, on the page and in a picture of it: that its points are combined, a base
 * that is not zero, an incomplete period, what is left out. `grain` is the note on combined points.
 */
export function chartNotes({ chart, hidden, rest }: ArrangedChart, grain: string | null): string[] {
  const period = incompleteText(chart);
  const first = chart.incompleteFirst === null ? null : timeWriter(chart.xAxis)(chart.incompleteFirst);
  return [
    ...(grain === null ? [] : [grain]),
    ...(chart.yAxes.some((_, place) => valueRange(chart, place).isCut) ? [t('note.base')] : []),
    ...(first === null ? [] : [t('note.incomplete', { period: first })]),
    ...(period === null ? [] : [t('note.incomplete', { period })]),
    ...(rest === null ? [] : [t('others.rest', { count: rest.count, sum: sumText(chart, rest.sums) })]),
    ...(hidden > 0 ? [t('others.hidden', { count: hidden })] : []),
  ];
}

/** The sums of what is not drawn, with the name of each series if there are several. */
function sumText(chart: ChartModel, sums: readonly number[]): string {
  return chart.series
    .map((series, place) => {
      const sum = valueFormat(chart, series).short(sums[place] ?? 0);
      return chart.series.length === 1 ? sum : `${series.name} ${sum}`;
    })
    .join(', ');
}
