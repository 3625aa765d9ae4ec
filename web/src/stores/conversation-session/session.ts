import { proxy, snapshot } from 'valtio';
import { changeConversation, getConversation } from '@/api/conversations';
import { ApiError } from '@/api/errors';
import { atSignOut } from '@/lib/at-sign-out';
import { chatMessage, unsentSeq, type ChatMessage } from '@/lib/chat-message';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { MessageLog } from '@/lib/message-log';
import { nobody, type Presence } from '@/lib/presence';
import { notify } from '@/lib/notify';
import { serverMessage } from '@/lib/server-message';
import type { Conversation, ConversationChanges } from '@/lib/wire';
import { conversationChanges as t } from '@/messages/conversation-changes';
import { positionAt } from '@/stream/cursor';
import { followConversation, unfollowConversation } from '@/stream/line';

/** The state of the turn in the open conversation. */
export type TurnState =
  | { phase: 'idle' }
  /** The prompt is being sent; the server has not confirmed it. */
  | { phase: 'sending' }
  /** An answer is being generated; `progress` is its progress text. */
  | { phase: 'running'; progress: string | null }
  | { phase: 'stopping' }
  /** It ended without success; the person sees the reason. */
  | { phase: 'ended'; status: 'interrupted' | 'failed'; reason: string };

/** The messages before the loaded ones. `before` is the parameter to fetch them; `null` if there are none. */
export interface EarlierState {
  before: number | null;
  status: 'idle' | 'loading' | 'failed';
}

/**
 * The open conversation.
 *
 *   closed → loading → ready ⇄ (refetch keeps ready)
 *               ↓         ↓
 *            missing / failed / gone
 */
export type SessionState =
  | { phase: 'closed' }
  | { phase: 'loading'; id: string }
  /** `behind`: it could not be fetched again, and an older state is shown; fetching is retried automatically. */
  | {
      phase: 'ready';
      id: string;
      conversation: Conversation;
      turn: TurnState;
      behind: boolean;
      /** The people who have it open, if the server has sent them since it was followed. */
      present: Presence;
      earlier: EarlierState;
    }
  | { phase: 'missing'; id: string }
  | { phase: 'failed'; id: string };

interface Session {
  current: SessionState;
}

const state = proxy<Session>({ current: { phase: 'closed' } });

export const sessionState: DeepReadonly<Session> = state;

const log = new MessageLog<ChatMessage>();

/** The messages of the open conversation, outside of the proxy. */
export const sessionLog: Pick<MessageLog<ChatMessage>, 'subscribe' | 'snapshot'> = log;

/** The running fetch; a later one invalidates its answer. And the next try, if the last one failed. */
const fetching: {
  abort: AbortController | null;
  again: ReturnType<typeof setTimeout> | undefined;
  failures: number;
} = { abort: null, again: undefined, failures: 0 };

/**
 * The pause after the first failed fetch; each later one is twice as long, up to the longest, plus or minus a
 * fifth.
 */
const firstPause = 2_000;
const longestPause = 30_000;

/** The turn that ended last. Its progress may still arrive. */
let over: string | null = null;

/** The prompts that are being sent to the server; for the files of this store only. */
export const sending = new Set<string>();

/** The ready session, if it is this conversation's. */
export function readySession(id: string): Extract<SessionState, { phase: 'ready' }> | null {
  return state.current.phase === 'ready' && state.current.id === id ? state.current : null;
}

/** The log, for the files of this store only. */
export function openLog(): MessageLog<ChatMessage> {
  return log;
}

/** The turn of the newest message that the server has numbered. */
function newestTurn(): string | null {
  return log.now().findLast(({ seq }) => seq !== unsentSeq)?.turnId ?? null;
}

/** Whether a turn is the newest one and has not ended: only for such a turn the progress is shown. */
export function isUnderWay(turnId: string): boolean {
  return turnId === newestTurn() && turnId !== over;
}

/** The number of messages per page, and the maximum that the server sends. */
export const messagePage = 100;
export const largestPage = 1_000;

/** A fetch of the conversation includes all loaded messages, so that the reader keeps their position. */
function pageSize(): number {
  return Math.min(Math.max(messagePage, log.now().length), largestPage);
}

async function fetchDetail(id: string): Promise<Conversation | null> {
  fetching.abort?.abort();
  clearTimeout(fetching.again);
  const abort = new AbortController();
  fetching.abort = abort;
  try {
    const detail = await getConversation(id, { size: pageSize() }, abort.signal);
    return abort.signal.aborted ? null : detail;
  } catch (error) {
    if (abort.signal.aborted) return null;
    throw error;
  }
}

/**
 * The loaded messages before a page that was just fetched, if they need not be fetched again: the page continues
 * them without a gap, no rewind has come between them, and none of them was still being written.
 */
function loadedBefore({ id, messageSet, generation }: Conversation): readonly ChatMessage[] {
  const first = messageSet[0];
  const session = readySession(id);
  if (!first || session?.conversation.generation !== generation || !log.get(first.id)) return [];
  const before = log.now().filter((message) => message.seq < first.seq);
  return before.some((message) => message.status === 'streaming') ? [] : before;
}

function show(detail: Conversation): void {
  const { messageSet } = detail;
  // The messages are in the log; in the proxy too, 10,000 of them would be observed for no purpose.
  const conversation: Conversation = { ...detail, messageSet: [] };
  // A prompt that the server has not accepted yet stays at the end. If it has accepted it and the answer does not
  // contain it, the prompt was removed by a rewind, or will arrive on the stream.
  const unsent = log.now().filter((message) => message.seq === unsentSeq && sending.has(message.id));
  const known = new Set(messageSet.map((message) => message.id));
  const same = state.current.phase !== 'closed' && state.current.id === detail.id;
  const kept = loadedBefore(detail);
  const earlier: EarlierState =
    kept.length > 0 && state.current.phase === 'ready'
      ? state.current.earlier
      : { before: detail.earlierMessages ?? null, status: 'idle' };
  log.replaceAll([
    ...kept,
    ...messageSet.map(chatMessage),
    ...(same ? unsent.filter((message) => !known.has(message.id)) : []),
  ]);
  const turn: TurnState = conversation.isStreaming ? { phase: 'running', progress: null } : { phase: 'idle' };
  over = conversation.isStreaming ? null : newestTurn();
  fetching.failures = 0;
  state.current = {
    phase: 'ready',
    id: detail.id,
    conversation,
    turn,
    behind: false,
    earlier,
    present: nobody,
  };
  const open = messageSet.filter((message) => message.status === 'streaming');
  followConversation(
    detail.id,
    positionAt(
      conversation.head,
      conversation.generation,
      conversation.epoch,
      open.map((message) => ({ message: message.id, text: message.text })),
    ),
  );
}

/** Opens a conversation: fetches it, shows it, follows it. Opening the open one does nothing. */
export async function openConversation(id: string): Promise<void> {
  const { current } = state;
  if (current.phase !== 'closed' && current.id === id && current.phase !== 'failed') return;
  closeConversation();
  state.current = { phase: 'loading', id };
  await refetch(id);
}

/** Fetches the open conversation again, for example after a reset. The shown state stays until the answer arrives. */
export async function refetch(id: string): Promise<void> {
  try {
    const detail = await fetchDetail(id);
    if (detail) show(detail);
  } catch (error) {
    if (state.current.phase === 'closed' || state.current.id !== id) return;
    if (error instanceof ApiError && error.status === 404) {
      notify.error(t('load.missing', { id }));
      state.current = { phase: 'missing', id };
    } else if (error instanceof ApiError && error.status === 403) {
      notify.error(t('load.forbidden'));
      state.current = { phase: 'missing', id };
    } else if (state.current.phase === 'ready') {
      state.current.behind = true;
      const pause = Math.min(firstPause * 2 ** fetching.failures++, longestPause);
      fetching.again = setTimeout(() => void refetch(id), pause * (0.8 + 0.4 * Math.random()));
    } else {
      notify.error(t('load.failed'));
      state.current = { phase: 'failed', id };
    }
  }
}

/** Retries failed fetches, because the server answers again or the user wants it. */
export async function catchUp(): Promise<void> {
  const { current } = state;
  if (current.phase === 'failed' || (current.phase === 'ready' && current.behind)) await refetch(current.id);
  // The view fetches earlier messages again once they are not marked as failed any more.
  else if (current.phase === 'ready' && current.earlier.status === 'failed') current.earlier.status = 'idle';
}

/** Leaves the open conversation. */
export function closeConversation(): void {
  fetching.abort?.abort();
  clearTimeout(fetching.again);
  fetching.failures = 0;
  if (state.current.phase !== 'closed') unfollowConversation(state.current.id);
  state.current = { phase: 'closed' };
  log.replaceAll([]);
}

/** Closes a conversation for its reader, with a message why. If it is closed already, there is no second message. */
function loseConversation(id: string, why: string | null): void {
  const { current } = state;
  if (current.phase === 'closed' || current.phase === 'missing' || current.id !== id) return;
  closeConversation();
  state.current = { phase: 'missing', id };
  if (why !== null) notify.error(why);
}

/** The conversation was deleted. Only its owner can do that and knows it; others get a message. */
export function conversationDeleted(id: string): void {
  const isOwn = readySession(id)?.conversation.ownerStatus !== 'shared';
  loseConversation(id, isOwn ? null : t('deleted'));
}

/** The conversation may not be read any more. */
export function conversationForbidden(id: string): void {
  loseConversation(id, t('load.forbidden'));
}

/** Changes the open conversation after an event or an action. */
export function patchSession(id: string, changes: Partial<Conversation>): void {
  const session = readySession(id);
  if (session) Object.assign(session.conversation, changes);
}

/** Sets who has it open, if this conversation is the open one. */
export function sessionPresence(id: string, present: Presence): void {
  const session = readySession(id);
  if (session) session.present = present;
}

/** The connection is lost, so it is no longer known who has the conversation open. */
export function forgetPresence(): void {
  if (state.current.phase === 'ready') state.current.present = nobody;
}

/** Sets the state of the turn, if this conversation is the open one. */
export function setTurn(id: string, turn: TurnState): void {
  const session = readySession(id);
  if (!session) return;
  // A turn that has ended before its short answer is painted would look as if it had been stopped without an
  // answer.
  if (turn.phase === 'idle' || turn.phase === 'ended') {
    log.flush();
    over = newestTurn();
  }
  session.turn = turn;
}

/** Changes name, connectors or projects at once, and reverts the change if the server refuses. */
export async function updateConversation(id: string, changes: ConversationChanges): Promise<boolean> {
  const session = readySession(id);
  if (!session) return false;
  // Only the fields that are changed here are reverted after a failure: others may have been changed by an event
  // meanwhile.
  const held = snapshot(session.conversation);
  const before: Partial<Conversation> = Object.fromEntries(
    Object.entries(held).filter(([field]) => field in changes),
  );
  patchSession(id, changes);
  try {
    await changeConversation(id, changes);
    return true;
  } catch (error) {
    patchSession(id, before);
    notify.error(serverMessage(error, t('update.failed')));
    return false;
  }
}

atSignOut(closeConversation);
