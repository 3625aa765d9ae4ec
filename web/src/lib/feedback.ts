/** Feedback on an answer as it is filled in. */
export interface FeedbackValues {
  /** The ids of the picked reasons. */
  labels: number[];
  comment: string;
}

interface SentimentLike {
  readonly labelSet: readonly { readonly id: number; readonly isDefault: boolean }[];
}

/** The labels to send: the picked ones, else the default one, which means no specific reason. */
export function sentLabels(sentiment: SentimentLike, labels: readonly number[]): number[] {
  if (labels.length > 0) return [...labels];
  return sentiment.labelSet.filter((label) => label.isDefault).map(({ id }) => id);
}
