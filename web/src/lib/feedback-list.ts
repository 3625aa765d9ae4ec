import type { DeepReadonly } from './deep-readonly';
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

/** The reasons that were picked. The default label of a sentiment stands for none in particular. */
export function reasonsOf({ sentiment }: DeepReadonly<Feedback>): string[] {
  return sentiment.flatMap(({ labelSet }) =>
    labelSet.filter(({ isDefault }) => !isDefault).map(({ name }) => name),
  );
}
