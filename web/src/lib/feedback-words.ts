import { feedback as t } from '@/messages/feedback';

/** The server's own labels, which are the same for each organization, with their texts. */
export const reasons: ReadonlyMap<string, Parameters<typeof t>[0]> = new Map([
  ['Helpful', 'reason.helpful'],
  ['Accurate', 'reason.accurate'],
  ['Easy to understand', 'reason.easy'],
  ['Good chart', 'reason.chart'],
  ['Not helpful', 'reason.notHelpful'],
  ['Wrong numbers', 'reason.numbers'],
  ['Misunderstood my question', 'reason.misunderstood'],
  ['Chart or table is wrong', 'reason.wrongChart'],
  ['Too slow', 'reason.slow'],
  ['Question', 'reason.question'],
]);

/** The word for a label of the server, in the person's language; a label that is not known here is shown as it is. */
export function reasonName(label: string): string {
  const text = reasons.get(label);
  return text === undefined ? label : t(text);
}
