/** One sentiment about an answer, with the reasons for it. */
export interface SentimentChoice {
  readonly id: number;
  readonly name: string;
  readonly labelSet: readonly { readonly id: number; readonly name: string; readonly isDefault: boolean }[];
}
