import type { DeepReadonly } from './deep-readonly';
import { offersLabels, reasonName } from './feedback-words';
import type { Feedback } from './wire';

/** The filters for feedback in the administration. */
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

/** The comments of a feedback, as one text. */
export function commentText({ commentSet }: DeepReadonly<Feedback>): string {
  return commentSet.map(({ text }) => text).join(' · ');
}

/**
 * The reasons that a person picked. A default label can be picked like any other, but it is also sent with a
 * comment without reasons. So a single default label counts as a reason only if there is no comment, because a
 * reason or a comment is required. For a question, which offers no reasons, it would only repeat the sentiment.
 */
export function reasonsOf({ sentiment, commentSet }: DeepReadonly<Feedback>): string[] {
  return sentiment
    .filter(offersLabels)
    .filter(({ labelSet }) => commentSet.length === 0 || labelSet.some(({ isDefault }) => !isDefault))
    .flatMap(({ labelSet }) => labelSet.map(reasonName));
}
