import { feedbackForm as t } from '@/messages/feedback-form';

/** The texts of the server's labels by their ids, which are the same for each organization. */
export const reasons: ReadonlyMap<number, Parameters<typeof t>[0]> = new Map([
  [1, 'reason.helpful'],
  [2, 'reason.accurate'],
  [3, 'reason.easy'],
  [4, 'reason.chart'],
  [11, 'reason.notHelpful'],
  [12, 'reason.numbers'],
  [13, 'reason.misunderstood'],
  [14, 'reason.wrongChart'],
  [15, 'reason.slow'],
  [21, 'reason.question'],
]);

/** The word for a label of the server, in the person's language; a label that is not known here keeps its name. */
export function reasonName({ id, name }: { readonly id: number; readonly name: string }): string {
  const text = reasons.get(id);
  return text === undefined ? name : t(text);
}

/** Whether reasons are offered for a sentiment: a question is asked in the person's own words. */
export function offersLabels(sentiment: { readonly name: string }): boolean {
  return sentiment.name !== 'Question';
}
