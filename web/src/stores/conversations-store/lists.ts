import { getConversation, listConversations, listRunning } from '@/api/conversations';
import { ApiError } from '@/api/errors';
import { conversationScopes, type ConversationScope } from '@/lib/conversation-list';
import type { LoadStatus } from '@/lib/load-status';
import {
  asked,
  changedSince,
  emptyList,
  forgetConversation,
  placeNewer,
  putConversation,
  searches,
  sorted,
  state,
  storeAnswer,
  touched,
  underWay,
} from './state';

/**
 * Fetches pages of a list and shows them when the last one has arrived: either from the first one on as many as the
 * person has requested, also meanwhile, or only the next one. Of the fetches from the first page on, the latest
 * wins; they all contain the next page, so a fetch of the next page does not invalidate them.
 */
async function loadPages(scope: ConversationScope, first = 1): Promise<void> {
  const list = state.lists[scope];
  const ask = asked[scope];
  const mine = ++ask.count;
  const since = touched.clock;
  ask.open++;
  list.status = list.ids.length === 0 && list.status !== 'fetched' ? 'fetching' : 'updating';
  try {
    const ids: string[] = [];
    const passed: string[] = [];
    let page = first;
    for (;;) {
      const answer = await listConversations(scope, page);
      if (ask !== asked[scope] || mine < ask.answered) return;
      ids.push(...storeAnswer(answer, since));
      passed.push(...changedSince(answer, since));
      page = answer.pagination.next === null ? 0 : page + 1;
      if (page === 0 || page > ask.pages) break;
    }
    if (first === 1) ask.answered = mine;
    list.ids = first === 1 ? [...new Set(ids)] : sorted([...list.ids, ...ids]);
    list.nextPage = page === 0 ? null : page;
    list.status = mine === ask.count || ask.open === 1 ? 'fetched' : 'updating';
    placeNewer(since);
    for (const id of passed) void fetchConversation(id);
  } catch {
    // The error list shows the reason; the list itself offers a retry.
    if (mine === ask.count) list.status = 'failed';
  } finally {
    ask.open--;
  }
}

/** Loads a filter's list on its first use. */
export async function loadConversations(scope: ConversationScope): Promise<void> {
  const { status } = state.lists[scope];
  if (status === 'initial' || status === 'failed') await loadPages(scope);
}

/** Whether Load More has an effect: there are more entries, and no request is running. */
function mayGoOn({ nextPage, status }: { nextPage: number | null; status: LoadStatus }): boolean {
  return nextPage !== null && (status === 'fetched' || status === 'failed');
}

/** Adds the next page. A running fetch of the list includes it automatically. */
export async function loadMoreConversations(scope: ConversationScope): Promise<void> {
  const list = state.lists[scope];
  if (list.nextPage === null) return;
  asked[scope].pages = list.nextPage;
  if (mayGoOn(list)) await loadPages(scope, list.nextPage);
}

async function searchPage(page: number): Promise<void> {
  const search = ++searches.count;
  const since = touched.clock;
  const { scope, words, ids, status } = state.found;
  state.found.status = ids.length === 0 && status !== 'fetched' ? 'fetching' : 'updating';
  try {
    const answer = await listConversations(scope, page, words);
    if (search !== searches.count) return;
    const found = storeAnswer(answer, since);
    state.found.ids = page === 1 ? found : [...new Set([...state.found.ids, ...found])];
    state.found.nextPage = answer.pagination.next === null ? null : page + 1;
    state.found.status = 'fetched';
  } catch {
    if (search !== searches.count) return;
    // The error list shows the reason; the list itself offers a retry. Results of a previous search are not results
    // of this one.
    if (page === 1) state.found.ids = [];
    state.found.status = 'failed';
  }
}

/** Searches names and descriptions within a filter. The previous results stay until the answer arrives. */
export async function searchConversations(scope: ConversationScope, words: string): Promise<void> {
  if (state.found.scope !== scope) Object.assign(state.found, emptyList());
  Object.assign(state.found, { scope, words, nextPage: null });
  await searchPage(1);
}

export async function searchMoreConversations(): Promise<void> {
  const { found } = state;
  if (found.nextPage !== null && mayGoOn(found)) await searchPage(found.nextPage);
}

/** Clears the results: the next search begins with other words. */
export function forgetSearch(): void {
  searches.count++;
  Object.assign(state.found, emptyList(), { words: '' });
}

/**
 * The pause after a fetch that has failed; each later one is twice as long, up to the longest, plus or minus a
 * fifth.
 */
const firstPause = 2_000;
const longestPause = 30_000;

/**
 * Fetches one conversation after an event, and adds it to the lists that it belongs to. All events that arrive
 * during a fetch together cause one more fetch, and no list is fetched for them. A failed fetch is retried: no
 * event will announce the change a second time.
 */
export async function fetchConversation(id: string, pause = firstPause): Promise<void> {
  if (underWay.has(id)) {
    underWay.set(id, true);
    return;
  }
  const mine = underWay;
  try {
    do {
      mine.set(id, false);
      const since = touched.clock;
      // A list shows no messages; without a size the server would send all of them.
      const conversation = await getConversation(id, { size: 1 });
      if (mine !== underWay) return;
      if ((touched.at[id] ?? 0) <= since) putConversation({ ...conversation, messageSet: [] });
      // An event that arrived meanwhile is newer than the answer, and a deleted conversation stays deleted.
      else if (state.byId[id]) mine.set(id, true);
      else return;
    } while (mine.get(id) === true);
  } catch (error) {
    if (mine !== underWay) return;
    const gone = error instanceof ApiError && (error.status === 404 || error.status === 403);
    if (gone) forgetConversation(id);
    else tryLater(id, mine, pause);
  } finally {
    mine.delete(id);
  }
}

/** Tries again, unless another user is signed in by then. */
function tryLater(id: string, mine: typeof underWay, pause: number): void {
  const again = (): void => {
    if (mine === underWay) void fetchConversation(id, Math.min(2 * pause, longestPause));
  };
  setTimeout(again, pause * (0.8 + 0.4 * Math.random()));
}

/** Fetches every loaded list again, with as many pages as were loaded. */
export async function refreshConversations(): Promise<void> {
  const loaded = conversationScopes.filter((scope) => state.lists[scope].status !== 'initial');
  await Promise.all(loaded.map((scope) => loadPages(scope)));
}

/** Fetches which conversations are running, after the connection was lost: their ends may have been missed. */
export async function refreshRunning(): Promise<void> {
  const since = touched.clock;
  try {
    const running = new Set((await listRunning()).results.map((conversation) => conversation.id));
    for (const conversation of Object.values(state.byId)) {
      // An event since then is newer than the answer.
      if ((touched.at[conversation.id] ?? 0) > since) continue;
      const isStreaming = running.has(conversation.id);
      if (conversation.isStreaming !== isStreaming) conversation.isStreaming = isStreaming;
    }
  } catch {
    // The flags are kept until the next event corrects them.
  }
}
