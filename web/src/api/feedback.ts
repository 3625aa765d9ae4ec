import { call } from './client';
import { path } from './path';
import type { FeedbackQuery } from '@/lib/feedback-list';
import type { Conversation, Feedback, Page, Sentiment, SentimentCount } from '@/lib/wire';

export function listSentiments(): Promise<Page<Sentiment>> {
  return call('GET', path`discourse/sentiments`, { quiet: true });
}

/** Gives feedback on a message; a comment without a label is a question. */
export function giveFeedback(
  message: string,
  label: readonly number[],
  comment: string,
  idempotencyKey: string,
): Promise<Feedback> {
  return call('PUT', path`discourse/messages/${message}/feedbacks`, {
    body: { label, comment: comment === '' ? [] : [{ text: comment }] },
    idempotencyKey,
    quiet: true,
  });
}

/** A page of the feedback on answers, with the number of entries of the whole list for each sentiment. */
interface FeedbackPage extends Page<Feedback> {
  bySentiment?: SentimentCount[];
}

export function listFeedbacks(query: FeedbackQuery, page: number, pageSize: number): Promise<FeedbackPage> {
  return call('GET', path`discourse/feedbacks`, {
    query: {
      page,
      page_size: pageSize,
      split_by_sentiment: true,
      scope: query.scope,
      sentiment: query.sentiment ?? undefined,
      label: query.label ?? undefined,
      search: query.search === '' ? undefined : query.search,
    },
  });
}

/**
 * A conversation with all feedback that the person may see; a superuser can read every conversation that has
 * feedback, without a share.
 */
export function getReviewedConversation(id: string): Promise<Conversation> {
  return call('GET', path`discourse/conversations/${id}`, {
    query: { feedback_scope: 'all' },
    quiet: true,
  });
}
