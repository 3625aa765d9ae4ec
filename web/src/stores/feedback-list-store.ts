import { proxy } from 'valtio';
import { getReviewedConversation, listFeedbacks } from '@/api/feedback';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection, listKey } from '@/lib/collection';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { feedbackPageSize, type FeedbackQuery } from '@/lib/feedback-list';
import type { Conversation, Feedback, SentimentCount } from '@/lib/wire';

/** The number of entries for each sentiment, by the key of the list without a sentiment. */
const counts = proxy<Record<string, SentimentCount[]>>({});

/** The key of the counts of a query. */
export function countsKey(query: FeedbackQuery): string {
  return listKey({ ...query, sentiment: null });
}

export const feedbackCounts: DeepReadonly<typeof counts> = counts;

/** The feedback on answers that this person may see. */
export const feedbackList = new Collection<Feedback, FeedbackQuery>({
  list: async (query, page) => {
    const answer = await listFeedbacks(query, page, feedbackPageSize);
    counts[countsKey(query)] = answer.bySentiment ?? [];
    return answer;
  },
});

/** Conversations that are shown with their feedback. They are fetched one by one. */
export const reviewed = new Collection<Conversation, never>({
  list: () => Promise.reject(new Error('reviewed conversations have no list')),
  get: (id) => getReviewedConversation(String(id)),
});

atSignOut(() => {
  feedbackList.reset();
  reviewed.reset();
  for (const key of Object.keys(counts)) Reflect.deleteProperty(counts, key);
});
