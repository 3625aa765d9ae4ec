import { limitsOfCommentRequest } from '@/api/limits.gen';
import { feedback as t } from '@/messages/feedback';

/** Feedback on an answer that is being written. */
export interface FeedbackDraft {
  readonly labels: readonly number[];
  readonly comment: string;
}

export const emptyFeedback: FeedbackDraft = { labels: [], comment: '' };

/** The maximum length of a comment. */
export const commentMax = limitsOfCommentRequest.text.characters;

interface SentimentLike {
  readonly name: string;
  readonly labelSet: readonly { readonly id: number; readonly isDefault: boolean }[];
}

/** A question is asked in the person's own words; the other two sentiments offer reasons. */
export function offersLabels(sentiment: SentimentLike): boolean {
  return sentiment.name !== 'Question';
}

/** What is wrong with a draft, or `null`. */
export function feedbackProblem({ labels, comment }: FeedbackDraft): string | null {
  return labels.length === 0 && comment.trim() === '' ? t('problem') : null;
}

/** The labels to send: the picked ones, else the default one, which means no specific reason. */
export function sentLabels(sentiment: SentimentLike, labels: readonly number[]): number[] {
  if (labels.length > 0) return [...labels];
  return sentiment.labelSet.filter((label) => label.isDefault).map(({ id }) => id);
}
