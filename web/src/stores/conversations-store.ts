import { proxy } from 'valtio';
import {
  copyConversation,
  deleteConversation,
  listConversations,
  listRunning,
  markRead,
  setFavorite,
  setStatus,
  type ConversationScope,
} from '@/api/conversations';
import type { Conversation, ConversationStatus } from '@/lib/wire';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import { notify } from '@/lib/notify';
import { uuidv7 } from '@/lib/uuid';

/** The filters of the list, in the order of their tabs. */
export const conversationScopes = ['all', 'favorite', 'user', 'shared', 'archived'] as const;

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
interface ConversationsState {
  byId: Record<string, Conversation>;
  lists: Record<ConversationScope, ScopeList>;
  found: Found;
}

const emptyList = (): ScopeList => ({ status: 'initial', ids: [], nextPage: 1 });

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

const state = proxy<ConversationsState>(initial());

export const conversationsState: DeepReadonly<ConversationsState> = state;

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

/** The most recently updated first, as the server sorts. */
function sorted(ids: readonly string[]): string[] {
  const time = (id: string): string => state.byId[id]?.updatedAt ?? '';
  return [...new Set(ids)].sort((a, b) => (time(a) < time(b) ? 1 : time(a) > time(b) ? -1 : 0));
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
const touched: { clock: number; at: Record<string, number> } = { clock: 0, at: {} };

function touch(id: string): void {
  touched.at[id] = ++touched.clock;
}

/**
 * Holds what a list answered that was asked for at `since`, and answers which of it there is: what has
 * changed since then is newer than the answer, and what has gone stays gone.
 */
function holdAnswer(results: readonly Conversation[], since: number): string[] {
  for (const conversation of results) {
    const { id } = conversation;
    if ((touched.at[id] ?? 0) <= since) state.byId[id] = conversation;
  }
  return results.map(({ id }) => id).filter((id) => state.byId[id] !== undefined);
}

/** Puts back into the lists what has come or changed since an answer was asked for. */
function placeNewer(since: number): void {
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

async function loadPage(scope: ConversationScope, page: number): Promise<void> {
  const list = state.lists[scope];
  const since = touched.clock;
  list.status = list.status === 'initial' || list.status === 'failed' ? 'fetching' : 'updating';
  try {
    const answer = await listConversations(scope, page);
    const ids = holdAnswer(answer.results, since);
    list.ids = page === 1 ? ids : sorted([...list.ids, ...ids]);
    list.nextPage = answer.pagination.next === null ? null : page + 1;
    list.status = 'fetched';
    placeNewer(since);
  } catch {
    // The error list says why; the list itself offers another try.
    list.status = 'failed';
  }
}

/** Loads a filter's list on its first use. */
export async function loadConversations(scope: ConversationScope): Promise<void> {
  const { status } = state.lists[scope];
  if (status === 'initial' || status === 'failed') await loadPage(scope, 1);
}

export async function loadMoreConversations(scope: ConversationScope): Promise<void> {
  const { nextPage, status } = state.lists[scope];
  if (nextPage !== null && status === 'fetched') await loadPage(scope, nextPage);
}

/** Counts the searches: an answer that another search has overtaken is dropped. */
const searches = { count: 0 };

async function searchPage(page: number): Promise<void> {
  const search = ++searches.count;
  const since = touched.clock;
  const { scope, words } = state.found;
  state.found.status = state.found.status === 'initial' ? 'fetching' : 'updating';
  try {
    const { results, pagination } = await listConversations(scope, page, words);
    if (search !== searches.count) return;
    const ids = holdAnswer(results, since);
    state.found.ids = page === 1 ? ids : [...new Set([...state.found.ids, ...ids])];
    state.found.nextPage = pagination.next === null ? null : page + 1;
    state.found.status = 'fetched';
  } catch {
    // The error list says why; the list itself offers another try.
    if (search === searches.count) state.found.status = 'failed';
  }
}

/** Searches names and descriptions within a filter. What was found stays until the answer is there. */
export async function searchConversations(scope: ConversationScope, words: string): Promise<void> {
  if (state.found.scope !== scope) Object.assign(state.found, emptyList());
  Object.assign(state.found, { scope, words, nextPage: null });
  await searchPage(1);
}

export async function searchMoreConversations(): Promise<void> {
  const { nextPage, status } = state.found;
  if (nextPage !== null && status === 'fetched') await searchPage(nextPage);
}

/** Fetches again, from the first page, every list that has been loaded. */
export async function refreshConversations(): Promise<void> {
  const loaded = conversationScopes.filter((scope) => state.lists[scope].status !== 'initial');
  await Promise.all(loaded.map((scope) => loadPage(scope, 1)));
}

/** Asks which conversations run, after the line was lost: their ends may have been missed. */
export async function refreshRunning(): Promise<void> {
  try {
    const running = new Set((await listRunning()).results.map((conversation) => conversation.id));
    for (const conversation of Object.values(state.byId)) {
      const isStreaming = running.has(conversation.id);
      if (conversation.isStreaming !== isStreaming) conversation.isStreaming = isStreaming;
    }
  } catch {
    // The flags stay as they are until the next event corrects them.
  }
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

/** A message arrived somewhere: the list shows it as running, unread and most recent. */
export function messageArrived(id: string, streaming: boolean, unread: boolean, now: Date): boolean {
  const conversation = state.byId[id];
  if (!conversation) return false;
  return patchConversation(id, {
    isStreaming: streaming,
    unreadMessages: unread ? conversation.unreadMessages + 1 : conversation.unreadMessages,
    updatedAt: now.toISOString(),
  });
}

/**
 * Marks a conversation as read, here and on the server. What a person watched arriving was never
 * unread here, but the server has counted it: `watched` tells it all the same.
 */
export async function readConversation(id: string, watched = false): Promise<void> {
  const conversation = state.byId[id];
  if (!conversation || (conversation.unreadMessages === 0 && !watched)) return;
  conversation.unreadMessages = 0;
  try {
    await markRead(id);
  } catch {
    // It is read on this screen in any case; the server's count is corrected by the next visit.
  }
}

/** Flips the favorite flag at once, and back if the server refuses. */
export async function toggleFavorite(id: string, isFavorite: boolean): Promise<boolean> {
  patchConversation(id, { isFavorite });
  try {
    await setFavorite(id, isFavorite);
    return true;
  } catch {
    patchConversation(id, { isFavorite: !isFavorite });
    notify.error('Failed to favorite conversation');
    return false;
  }
}

/** Archives, or brings back, for this person alone. */
export async function archiveConversation(id: string, status: ConversationStatus): Promise<boolean> {
  try {
    await setStatus(id, status);
  } catch {
    notify.error(
      status === 'archived' ? 'Failed to archive conversation' : 'Failed to unarchive conversation',
    );
    return false;
  }
  patchConversation(id, { status });
  notify.success(
    status === 'archived' ? 'Conversation archived successfully' : 'Conversation unarchived successfully',
  );
  return true;
}

/** Makes a copy of one's own, and answers its id. */
export async function duplicateConversation(id: string): Promise<string | null> {
  try {
    const copy = await copyConversation(id, uuidv7());
    putConversation({ ...copy, messageSet: [] });
    notify.success('Conversation duplicated successfully');
    return copy.id;
  } catch {
    notify.error('Failed to duplicate conversation');
    return null;
  }
}

/** Deletes for everybody, for good. */
export async function removeConversation(id: string): Promise<boolean> {
  try {
    await deleteConversation(id);
  } catch {
    notify.error('Failed to delete conversation');
    return false;
  }
  forgetConversation(id);
  notify.success('Conversation deleted successfully');
  return true;
}

export function resetConversations(): void {
  touched.at = {};
  searches.count++;
  Object.assign(state, initial());
}
