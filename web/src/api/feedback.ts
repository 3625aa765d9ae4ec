import { call } from './client';
import type { Feedback, Page, Sentiment } from '@/lib/wire';

export function listSentiments(): Promise<Page<Sentiment>> {
  return call('GET', 'discourse/sentiments', { quiet: true });
}

/** Gives feedback on a message; a comment without a label is a question. */
export function giveFeedback(
  message: string,
  label: readonly number[],
  comment: string,
  idempotencyKey: string,
): Promise<Feedback> {
  return call('PUT', `discourse/messages/${message}/feedbacks`, {
    body: { label, comment: comment === '' ? [] : [{ text: comment }] },
    idempotencyKey,
    quiet: true,
  });
}
