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

/** What runs in the open conversation. */
export type TurnState =
  | { phase: 'idle' }
  /** The prompt is on its way; the server has not confirmed it. */
  | { phase: 'sending' }
  /** An answer is being made; `progress` is what it says of itself. */
  | { phase: 'running'; progress: string | null }
  | { phase: 'stopping' }
  /** It ended without success, and the person is told why. */
  | { phase: 'ended'; status: 'interrupted' | 'failed'; reason: string };

/** The messages before those that are held. `before` asks for them; `null` where there are none. */
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
      /** The people who have it open, as far as the server has told since it was followed. */
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

/** The fetch under way; a later one makes its answer worthless. And the next try, where the last one failed. */
const fetching: {
  abort: AbortController | null;
  again: ReturnType<typeof setTimeout> | undefined;
  failures: number;
} = { abort: null, again: undefined, failures: 0 };

/** The pause after the first failed fetch; each later one is twice as long, up to the longest, give or take a fifth. */
const firstPause = 2_000;
const longestPause = 30_000;

/** The turn that was the last one to end. What it had said of itself may still be on its way. */
let over: string | null = null;

/** The prompts that are on their way to the server; for the files of this store only. */
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

/** Whether a turn is the newest one and has not ended: only of such a one is it shown what it says of itself. */
export function isUnderWay(turnId: string): boolean {
  return turnId === newestTurn() && turnId !== over;
}

/** How many messages come at a time, and how many the server gives at most. */
export const messagePage = 100;
export const largestPage = 1_000;

/** A fetch of the conversation reaches as far back as what is held, so that the reader keeps their place. */
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
 * The held messages before a page that was just fetched, if they need not be fetched again: the page continues them
 * without a gap, no rewind has come between them, and none of them was still being written.
 */
function heldBefore({ id, messageSet, generation }: Conversation): readonly ChatMessage[] {
  const first = messageSet[0];
  const session = readySession(id);
  if (!first || session?.conversation.generation !== generation || !log.get(first.id)) return [];
  const before = log.now().filter((message) => message.seq < first.seq);
  return before.some((message) => message.status === 'streaming') ? [] : before;
}

function show(detail: Conversation): void {
  const { messageSet } = detail;
  // The messages live in the log; held in the proxy too, 10,000 of them would be watched for nothing.
  const conversation: Conversation = { ...detail, messageSet: [] };
  // A prompt that the server has not taken yet stays at the end. One that it has taken and that is not in its answer
  // was cut by a rewind, or comes on the stream.
  const unsent = log.now().filter((message) => message.seq === unsentSeq && sending.has(message.id));
  const known = new Set(messageSet.map((message) => message.id));
  const same = state.current.phase !== 'closed' && state.current.id === detail.id;
  const kept = heldBefore(detail);
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

/** Fetches the open conversation again, as after a reset. What is shown stays until the answer is there. */
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

/** Tries again what could not be fetched, now that the server answers, or because the user wants it. */
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

/** Takes a conversation away from who reads it, and tells them why. What is lost already is told of once. */
function loseConversation(id: string, why: string | null): void {
  const { current } = state;
  if (current.phase === 'closed' || current.phase === 'missing' || current.id !== id) return;
  closeConversation();
  state.current = { phase: 'missing', id };
  if (why !== null) notify.error(why);
}

/** The conversation was deleted. Its owner, who alone can do that, knows; others are told. */
export function conversationDeleted(id: string): void {
  const isOwn = readySession(id)?.conversation.ownerStatus !== 'shared';
  loseConversation(id, isOwn ? null : t('deleted'));
}

/** The conversation may not be read any more. */
export function conversationForbidden(id: string): void {
  loseConversation(id, t('load.forbidden'));
}

/** Changes what is shown of the open conversation, as an event or an action says. */
export function patchSession(id: string, changes: Partial<Conversation>): void {
  const session = readySession(id);
  if (session) Object.assign(session.conversation, changes);
}

/** Sets who has it open, where it is this conversation that is open. */
export function sessionPresence(id: string, present: Presence): void {
  const session = readySession(id);
  if (session) session.present = present;
}

/** The line is lost: who is there is not known any more. */
export function forgetPresence(): void {
  if (state.current.phase === 'ready') state.current.present = nobody;
}

/** Sets what runs, where it is this conversation that is open. */
export function setTurn(id: string, turn: TurnState): void {
  const session = readySession(id);
  if (!session) return;
  // A turn that has ended before its short answer is painted would look as if it had been stopped without a word.
  if (turn.phase === 'idle' || turn.phase === 'ended') {
    log.flush();
    over = newestTurn();
  }
  session.turn = turn;
}

/** Changes name, connectors or projects at once, and back if the server refuses. */
export async function updateConversation(id: string, changes: ConversationChanges): Promise<boolean> {
  const session = readySession(id);
  if (!session) return false;
  // Only what is changed here goes back after a failure: the rest may have changed by an event meanwhile.
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
