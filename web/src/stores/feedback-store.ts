import { proxy } from 'valtio';
import { giveFeedback, listSentiments } from '@/api/feedback';
import { atSignOut } from '@/lib/at-sign-out';
import { AttemptKey } from '@/lib/attempt-key';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { sentLabels, type FeedbackValues } from '@/lib/feedback';
import { notify } from '@/lib/notify';
import { serverMessage } from '@/lib/server-message';
import { submitFailure, type SubmitFailure } from '@/lib/submit-failure';
import type { Sentiment } from '@/lib/wire';
import { feedback as t } from '@/messages/feedback';

/** This person's feedback on the answers of the open conversation. */
interface FeedbackState {
  sentiments: Sentiment[];
  /** Unsent comments, by message; they are kept when the card scrolls out of sight. */
  drafts: Record<string, string>;
  /** The sentiments that were given here, by message, until the messages themselves contain them. */
  given: Record<string, string>;
}

const initial = (): FeedbackState => ({ sentiments: [], drafts: {}, given: {} });

const state = proxy<FeedbackState>(initial());

export const feedbackState: DeepReadonly<FeedbackState> = state;

/** The request for the sentiments, which all who need them share; `null` before the first and after a failure. */
const loading: { request: Promise<boolean> | null } = { request: null };

/**
 * Loads the possible sentiments and reasons once, when feedback is first given: a page that is only read does not
 * ask for them. Returns whether they are known; if not, a message says why, and the next press asks again.
 */
export function loadSentiments(): Promise<boolean> {
  loading.request ??= fetchSentiments();
  return loading.request;
}

async function fetchSentiments(): Promise<boolean> {
  try {
    state.sentiments = (await listSentiments()).results;
    return true;
  } catch (error) {
    loading.request = null;
    notify.error(serverMessage(error, t('failed.load')));
    return false;
  }
}

/** Stores an unsent comment. */
export function draftFeedback(message: string, comment: string): void {
  state.drafts[message] = comment;
}

/** Sending the same again after a failure must not count twice. */
const sending = new AttemptKey();

/** Sends the feedback on a message. Returns `null` if the server has accepted it, else why not. */
export async function sendFeedback(
  message: string,
  sentiment: DeepReadonly<Sentiment>,
  { labels, comment }: FeedbackValues,
): Promise<SubmitFailure | null> {
  const key = sending.of([message, sentiment.id, labels, comment]);
  try {
    await giveFeedback(message, sentLabels(sentiment, labels), comment.trim(), key);
  } catch (error) {
    return submitFailure(error, t('failed'));
  }
  sending.done();
  state.given[message] = sentiment.name;
  notify.success(t('sent'));
  return null;
}

/** Another conversation has other answers. */
export function forgetDrafts(): void {
  state.drafts = {};
  state.given = {};
}

export function resetFeedback(): void {
  loading.request = null;
  Object.assign(state, initial());
}

atSignOut(resetFeedback);
