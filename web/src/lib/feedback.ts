import { feedback as t } from '@/messages/feedback';

/** What a person is about to say of an answer. */
export interface FeedbackDraft {
  readonly labels: readonly number[];
  readonly comment: string;
}

export const emptyFeedback: FeedbackDraft = { labels: [], comment: '' };

/** The longest comment that the server takes. */
export const commentMax = 300;

interface SentimentLike {
  readonly name: string;
  readonly labelSet: readonly { readonly id: number; readonly isDefault: boolean }[];
}

/** A question says in its own words what it asks; the other two offer reasons. */
export function offersLabels(sentiment: SentimentLike): boolean {
  return sentiment.name !== 'Question';
}

/** What is wrong with a draft, or `null`. */
export function feedbackProblem({ labels, comment }: FeedbackDraft): string | null {
  return labels.length === 0 && comment.trim() === '' ? t('problem') : null;
}

/** The labels that are sent: those picked, else the default one, which stands for no reason in particular. */
export function sentLabels(sentiment: SentimentLike, labels: readonly number[]): number[] {
  if (labels.length > 0) return [...labels];
  return sentiment.labelSet.filter((label) => label.isDefault).map(({ id }) => id);
}
