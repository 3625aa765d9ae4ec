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

/** The results of a search within a filter. */
interface Found extends ScopeList {
  scope: ConversationScope;
  words: string;
}

/** The conversations and their lists. */
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

/** Only the files of this folder may write it. */
export const state = proxy<ConversationsState>(initial());

/** Whether a conversation belongs to a filter's list. */
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

/** The most recently updated first, as the server sorts; at equal times the one with the later id first. */
export function sorted(ids: readonly string[]): string[] {
  const place = (id: string): string => `${state.byId[id]?.updatedAt ?? ''} ${id}`;
  return [...new Set(ids)].sort((a, b) => (place(a) < place(b) ? 1 : -1));
}

/** Adds a conversation to, or removes it from, every list that has been loaded. */
function place(conversation: Conversation): void {
  for (const scope of conversationScopes) {
    const list = state.lists[scope];
    if (list.status === 'initial') continue;
    const others = list.ids.filter((id) => id !== conversation.id);
    const next = belongs(conversation, scope) ? sorted([...others, conversation.id]) : others;
    // An unchanged list must not make its view render again: with 20 streams this is called often.
    if (next.join() !== list.ids.join()) list.ids = next;
  }
}

/** When each conversation was last changed here, by an event or an action, as a count of changes. */
export const touched: { clock: number; at: Record<string, number> } = { clock: 0, at: {} };

function touch(id: string): void {
  touched.at[id] = ++touched.clock;
}

/** For each conversation, the position in the person's log up to which its answer was complete. */
let answeredUpTo: Record<string, number> = {};

/** Whether the stored state of a conversation already includes this entry of the person's log. */
export function knowsOf(id: string, seq: number): boolean {
  return seq <= (answeredUpTo[id] ?? 0);
}

/**
 * Stores the answer of a list that was requested at `since`, and returns the ids that exist: a conversation that
 * has changed since then is newer than the answer, and so is one from an answer at a later position in the log; a
 * deleted one stays deleted.
 */
export function storeAnswer({ results, logHead }: ConversationPage, since: number): string[] {
  for (const conversation of results) {
    const { id } = conversation;
    if ((touched.at[id] ?? 0) > since || (answeredUpTo[id] ?? 0) > logHead) continue;
    state.byId[id] = conversation;
    answeredUpTo[id] = logHead;
  }
  return results.map(({ id }) => id).filter((id) => state.byId[id] !== undefined);
}

/**
 * The conversations for which an answer was not used, because they were changed here meanwhile. That change may be
 * a single field: if the answer was requested to recover missed changes, the other fields must still be fetched.
 */
export function changedSince({ results }: ConversationPage, since: number): string[] {
  return results.map(({ id }) => id).filter((id) => (touched.at[id] ?? 0) > since && id in state.byId);
}

/** Puts conversations that were added or changed since an answer was requested back into the lists. */
export function placeNewer(since: number): void {
  for (const [id, at] of Object.entries(touched.at)) {
    const conversation = state.byId[id];
    if (at > since && conversation) place(conversation);
  }
}

/** Stores a conversation and updates the lists. */
export function putConversation(conversation: Conversation): void {
  touch(conversation.id);
  state.byId[conversation.id] = conversation;
  place(conversation);
}

/** Changes a conversation of the lists after an event or an action. */
export function patchConversation(id: string, changes: Partial<Conversation>): boolean {
  const conversation = state.byId[id];
  if (!conversation) return false;
  touch(id);
  Object.assign(conversation, changes);
  place(conversation);
  return true;
}

/** Removes a conversation everywhere. */
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
 * Something was changed in a conversation at this time of the server, so it is the most recent one. The clock of
 * this machine is not used: the list is sorted by the server's times, from which it may differ.
 */
export function conversationUsed(id: string, at: string, changes: Partial<Conversation>): boolean {
  const conversation = state.byId[id];
  if (!conversation) return false;
  const { updatedAt } = conversation;
  return patchConversation(id, { ...changes, updatedAt: at > updatedAt ? at : updatedAt });
}

/** An answer has ended: the conversation is no longer running, and with `unread` it has one more unread answer. */
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

/** The conversations that are being fetched one by one, and whether there was another event for each meanwhile. */
export let underWay = new Map<string, boolean>();

/** Counts the searches: an answer to an older search is dropped. */
export const searches = { count: 0 };

/** The requests of each list. */
interface Asked {
  /** Counts the requests. */
  count: number;
  /** The number of running requests. */
  open: number;
  /** The fetch from the first page on whose answer is shown: an answer to an older request is dropped. */
  answered: number;
  /** The number of pages that the person has requested: fetching the list again must not make it shorter. */
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
  answeredUpTo = {};
  underWay = new Map();
  // Running requests belong to the user who has left; their answers are dropped.
  for (const scope of conversationScopes) asked[scope] = noRequests();
  searches.count++;
  Object.assign(state, initial());
}

atSignOut(resetConversations);
