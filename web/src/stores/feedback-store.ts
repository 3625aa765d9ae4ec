import { proxy } from 'valtio';
import { ApiError } from '@/api/errors';
import { giveFeedback, listSentiments } from '@/api/feedback';
import { atSignOut } from '@/lib/at-sign-out';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { emptyFeedback, sentLabels, type FeedbackDraft } from '@/lib/feedback';
import type { LoadStatus } from '@/lib/load-status';
import { notify } from '@/lib/notify';
import { uuidv7 } from '@/lib/uuid';
import type { Sentiment } from '@/lib/wire';

/** What this person thinks of the answers of the open conversation. */
interface FeedbackState {
  status: LoadStatus;
  sentiments: Sentiment[];
  /** What is being written, by message; a card that scrolls out of sight keeps it. */
  drafts: Record<string, FeedbackDraft>;
  /** The sentiments that were given here, by message, until the messages themselves tell of them. */
  given: Record<string, string>;
}

const initial = (): FeedbackState => ({ status: 'initial', sentiments: [], drafts: {}, given: {} });

const state = proxy<FeedbackState>(initial());

export const feedbackState: DeepReadonly<FeedbackState> = state;

/** Loads once what can be said of an answer. */
export async function loadSentiments(): Promise<void> {
  if (state.status !== 'initial' && state.status !== 'failed') return;
  state.status = 'fetching';
  try {
    state.sentiments = (await listSentiments()).results;
    state.status = 'fetched';
  } catch {
    // Without its reasons no feedback is offered; the next conversation asks again.
    state.status = 'failed';
  }
}

/** Holds what is being written. */
export function draftFeedback(message: string, changes: Partial<FeedbackDraft>): void {
  state.drafts[message] = { ...(state.drafts[message] ?? emptyFeedback), ...changes };
}

/** The key of the last one that failed: sending the same again must not count twice. */
const last: { input: string; key: string } = { input: '', key: '' };

/** Gives what has been written of a message. Answers whether the server has it. */
export async function sendFeedback(message: string, sentiment: DeepReadonly<Sentiment>): Promise<boolean> {
  const { labels, comment } = state.drafts[message] ?? emptyFeedback;
  const input = JSON.stringify([message, sentiment.id, labels, comment]);
  if (last.input !== input) Object.assign(last, { input, key: uuidv7() });
  try {
    await giveFeedback(message, sentLabels(sentiment, labels), comment.trim(), last.key);
  } catch (error) {
    const said = error instanceof ApiError ? error.message : '';
    notify.error(said === '' ? 'Failed to send feedback' : said);
    return false;
  }
  state.given[message] = sentiment.name;
  notify.success('Feedback sent');
  return true;
}

/** Another conversation has answers of its own. */
export function forgetDrafts(): void {
  state.drafts = {};
  state.given = {};
}

export function resetFeedback(): void {
  Object.assign(state, initial());
}

atSignOut(resetFeedback);
