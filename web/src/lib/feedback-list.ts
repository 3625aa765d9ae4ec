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
 * The reasons of a feedback. A default label is one of those that a person may pick, and is shown like any other; of a
 * question, which offers none, it would only repeat the sentiment.
 */
export function reasonsOf({ sentiment }: DeepReadonly<Feedback>): string[] {
  return sentiment.filter(offersLabels).flatMap(({ labelSet }) => labelSet.map(({ name }) => name));
}
