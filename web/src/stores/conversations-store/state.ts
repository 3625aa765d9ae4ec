import { proxy } from 'valtio';
import { atSignOut } from '@/lib/at-sign-out';
import { conversationScopes, type ConversationScope } from '@/lib/conversation-list';
import type { LoadStatus } from '@/lib/load-status';
import type { Conversation, ConversationPage } from '@/lib/wire';

/** One filter's list. */
interface ScopeList {
  status: LoadStatus;
  ids: string[];
  /** The page that Load More fetches next; `null` at the end. */
  nextPage: number | null;
}

/** What a search has found within a filter. */
interface Found extends ScopeList {
  scope: ConversationScope;
  words: string;
}

/** What a list shows of the conversations. */
export interface ConversationsState {
  byId: Record<string, Conversation>;
  lists: Record<ConversationScope, ScopeList>;
  found: Found;
}

export const emptyList = (): ScopeList => ({ status: 'initial', ids: [], nextPage: 1 });

const initial = (): ConversationsState => ({
  byId: {},
  lists: {
    all: emptyList(),
    favorite: emptyList(),
    user: emptyList(),
    shared: emptyList(),
    archived: emptyList(),
  },
  found: { ...emptyList(), scope: 'all', words: '' },
});

/** Written in this folder only. */
export const state = proxy<ConversationsState>(initial());

/** Whether a conversation belongs into a filter's list. */
function belongs(conversation: Conversation, scope: ConversationScope): boolean {
  if (scope === 'archived') return conversation.status === 'archived';
  if (conversation.status === 'archived') return false;
  switch (scope) {
    case 'all':
      return true;
    case 'favorite':
      return conversation.isFavorite;
    case 'user':
      return conversation.ownerStatus === 'owner';
    case 'shared':
      return conversation.ownerStatus === 'shared';
  }
}

/** The most recently updated first, as the server sorts; of the same moment the one with the later id. */
export function sorted(ids: readonly string[]): string[] {
  const place = (id: string): string => `${state.byId[id]?.updatedAt ?? ''} ${id}`;
  return [...new Set(ids)].sort((a, b) => (place(a) < place(b) ? 1 : -1));
}

/** Puts a conversation into, or takes it out of, every list that has been loaded. */
function place(conversation: Conversation): void {
  for (const scope of conversationScopes) {
    const list = state.lists[scope];
    if (list.status === 'initial') continue;
    const others = list.ids.filter((id) => id !== conversation.id);
    const next = belongs(conversation, scope) ? sorted([...others, conversation.id]) : others;
    // A list that stays the same must not make its view render again: 20 streams touch it often.
    if (next.join() !== list.ids.join()) list.ids = next;
  }
}

/** When each conversation was last changed here, by an event or an action, in changes counted. */
export const touched: { clock: number; at: Record<string, number> } = { clock: 0, at: {} };

function touch(id: string): void {
  touched.at[id] = ++touched.clock;
}

/** How far into the person's log the answer reached that each conversation was held from. */
let toldUpTo: Record<string, number> = {};

/** Whether what is held of a conversation knows of this entry of the person's log already. */
export function knowsOf(id: string, seq: number): boolean {
  return seq <= (toldUpTo[id] ?? 0);
}

/**
 * Holds what a list answered that was asked for at `since`, and answers which of it there is: what has
 * changed since then is newer than the answer, as is what an answer of a later place in the log said, and what has
 * gone stays gone.
 */
export function holdAnswer({ results, logHead }: ConversationPage, since: number): string[] {
  for (const conversation of results) {
    const { id } = conversation;
    if ((touched.at[id] ?? 0) > since || (toldUpTo[id] ?? 0) > logHead) continue;
    state.byId[id] = conversation;
    toldUpTo[id] = logHead;
  }
  return results.map(({ id }) => id).filter((id) => state.byId[id] !== undefined);
}

/**
 * What an answer told nothing of, because it was changed here meanwhile. That change may be one field: where the answer
 * was to bring back what was missed, the rest is still to be asked for.
 */
export function changedSince({ results }: ConversationPage, since: number): string[] {
  return results.map(({ id }) => id).filter((id) => (touched.at[id] ?? 0) > since && id in state.byId);
}

/** Puts back into the lists what has come or changed since an answer was asked for. */
export function placeNewer(since: number): void {
  for (const [id, at] of Object.entries(touched.at)) {
    const conversation = state.byId[id];
    if (at > since && conversation) place(conversation);
  }
}

/** Holds a conversation and keeps the lists right. */
export function putConversation(conversation: Conversation): void {
  touch(conversation.id);
  state.byId[conversation.id] = conversation;
  place(conversation);
}

/** Changes what a list shows of a conversation, as an event or an action says. */
export function patchConversation(id: string, changes: Partial<Conversation>): boolean {
  const conversation = state.byId[id];
  if (!conversation) return false;
  touch(id);
  Object.assign(conversation, changes);
  place(conversation);
  return true;
}

/** Takes a conversation out of everything. */
export function forgetConversation(id: string): void {
  touch(id);
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a record by id is what valtio tracks best
  delete state.byId[id];
  for (const scope of conversationScopes) {
    const list = state.lists[scope];
    if (list.ids.includes(id)) list.ids = list.ids.filter((other) => other !== id);
  }
  state.found.ids = state.found.ids.filter((other) => other !== id);
}

/**
 * Something was changed in a conversation at this time of the server, so it is the most recent one. The clock of this
 * machine is not asked: beside the server's times, by which the list is sorted, it may be wrong.
 */
export function conversationUsed(id: string, at: string, changes: Partial<Conversation>): boolean {
  const conversation = state.byId[id];
  if (!conversation) return false;
  const { updatedAt } = conversation;
  return patchConversation(id, { ...changes, updatedAt: at > updatedAt ? at : updatedAt });
}

/** An answer has ended somewhere: nothing runs there any more, and where `unread` it is one more to be read. */
export function answerEnded(id: string, at: string, credits: number, unread: boolean): boolean {
  const conversation = state.byId[id];
  if (!conversation) return false;
  const { unreadMessages } = conversation;
  return conversationUsed(id, at, {
    isStreaming: false,
    credits,
    unreadMessages: unread ? unreadMessages + 1 : unreadMessages,
  });
}

/** The conversations that are being fetched one by one, and whether one was heard of again meanwhile. */
export let underWay = new Map<string, boolean>();

/** Counts the searches: an answer that another search has overtaken is dropped. */
export const searches = { count: 0 };

/** What each list has been asked for. */
interface Asked {
  /** Counts the questions. */
  count: number;
  /** Those that are on their way. */
  open: number;
  /** The fetch from the first page on whose answer is shown: an answer to an older question is dropped. */
  answered: number;
  /** How many pages the person has asked for: fetching the list again must not make it shorter. */
  pages: number;
}

const noRequests = (): Asked => ({ count: 0, open: 0, answered: 0, pages: 1 });

export const asked: Record<ConversationScope, Asked> = {
  all: noRequests(),
  favorite: noRequests(),
  user: noRequests(),
  shared: noRequests(),
  archived: noRequests(),
};

export function resetConversations(): void {
  touched.at = {};
  toldUpTo = {};
  underWay = new Map();
  // What is on its way belongs to the one who has left, and is dropped with what asked for it.
  for (const scope of conversationScopes) asked[scope] = noRequests();
  searches.count++;
  Object.assign(state, initial());
}

atSignOut(resetConversations);
