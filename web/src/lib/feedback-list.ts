import type { DeepReadonly } from './deep-readonly';
import { offersLabels } from './feedback';
import type { Feedback } from './wire';

/** Which feedback the administration shows. */
export interface FeedbackQuery {
  /** `executive` is feedback on summaries. */
  scope: 'all' | 'executive';
  /** Ids; `null` for any. */
  sentiment: number | null;
  label: number | null;
  search: string;
}

export const feedbackScopes = ['all', 'executive'] as const;
export const feedbackPageSize = 10;

/** What was written along with a feedback, in one text. */
export function commentText({ commentSet }: DeepReadonly<Feedback>): string {
  return commentSet.map(({ text }) => text).join(' · ');
}

/**
 * The reasons that somebody picked. A default label is one of those that may be picked, and alone it is also what a
 * comment without any is sent with: beside a comment it is no reason, without one it was picked, for one of both is
 * asked of everybody. Of a question, which offers none, it would only repeat the sentiment.
 */
export function reasonsOf({ sentiment, commentSet }: DeepReadonly<Feedback>): string[] {
  return sentiment
    .filter(offersLabels)
    .filter(({ labelSet }) => commentSet.length === 0 || labelSet.some(({ isDefault }) => !isDefault))
    .flatMap(({ labelSet }) => labelSet.map(({ name }) => name));
}
