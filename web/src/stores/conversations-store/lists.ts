import { getConversation, listConversations, listRunning } from '@/api/conversations';
import { ApiError } from '@/api/errors';
import { conversationScopes, type ConversationScope } from '@/lib/conversation-list';
import type { LoadStatus } from '@/lib/load-status';
import {
  asked,
  changedSince,
  emptyList,
  forgetConversation,
  holdAnswer,
  placeNewer,
  putConversation,
  searches,
  sorted,
  state,
  touched,
  underWay,
} from './state';

/**
 * Fetches a list's pages and shows them when the last one is there: from the first one on as many as the person has
 * asked for, also meanwhile, or the one that follows alone. Of fetches from the first page on the latest wins; the page
 * that follows is in each of them, and overtakes none.
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
      ids.push(...holdAnswer(answer, since));
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
    // The error list says why; the list itself offers another try.
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

/** Whether Load More does something: there is more, and nothing is on its way. */
function mayGoOn({ nextPage, status }: { nextPage: number | null; status: LoadStatus }): boolean {
  return nextPage !== null && (status === 'fetched' || status === 'failed');
}

/** Adds the page that follows. A fetch of the list that is under way goes on to it by itself. */
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
    const found = holdAnswer(answer, since);
    state.found.ids = page === 1 ? found : [...new Set([...state.found.ids, ...found])];
    state.found.nextPage = answer.pagination.next === null ? null : page + 1;
    state.found.status = 'fetched';
  } catch {
    if (search !== searches.count) return;
    // The error list says why; the list itself offers another try. What other words have found is no answer to these.
    if (page === 1) state.found.ids = [];
    state.found.status = 'failed';
  }
}

/** Searches names and descriptions within a filter. What was found stays until the answer is there. */
export async function searchConversations(scope: ConversationScope, words: string): Promise<void> {
  if (state.found.scope !== scope) Object.assign(state.found, emptyList());
  Object.assign(state.found, { scope, words, nextPage: null });
  await searchPage(1);
}

export async function searchMoreConversations(): Promise<void> {
  const { found } = state;
  if (found.nextPage !== null && mayGoOn(found)) await searchPage(found.nextPage);
}

/** Forgets what was found: the next search begins with other words. */
export function forgetSearch(): void {
  searches.count++;
  Object.assign(state.found, emptyList(), { words: '' });
}

/** The pause after a fetch that has failed; each later one is twice as long, up to the longest, give or take a fifth. */
const firstPause = 2_000;
const longestPause = 30_000;

/**
 * Fetches one conversation of which something was heard, and puts it into the lists that it belongs to. Of many
 * events in a row the ones that come during a fetch ask for one more, and no list is fetched for any of them. What
 * could not be fetched is tried again: no event will say it a second time.
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
      // A list shows no messages; without any the server would give them all.
      const conversation = await getConversation(id, { size: 1 });
      if (mine !== underWay) return;
      if ((touched.at[id] ?? 0) <= since) putConversation({ ...conversation, messageSet: [] });
      // What an event has said meanwhile is newer than the answer, and what has gone stays gone.
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

/** Tries again, unless somebody else sits here by then. */
function tryLater(id: string, mine: typeof underWay, pause: number): void {
  const again = (): void => {
    if (mine === underWay) void fetchConversation(id, Math.min(2 * pause, longestPause));
  };
  setTimeout(again, pause * (0.8 + 0.4 * Math.random()));
}

/** Fetches every list that has been loaded again, as far as it has been loaded. */
export async function refreshConversations(): Promise<void> {
  const loaded = conversationScopes.filter((scope) => state.lists[scope].status !== 'initial');
  await Promise.all(loaded.map((scope) => loadPages(scope)));
}

/** Asks which conversations run, after the line was lost: their ends may have been missed. */
export async function refreshRunning(): Promise<void> {
  const since = touched.clock;
  try {
    const running = new Set((await listRunning()).results.map((conversation) => conversation.id));
    for (const conversation of Object.values(state.byId)) {
      // What an event has said since then is newer than the answer.
      if ((touched.at[conversation.id] ?? 0) > since) continue;
      const isStreaming = running.has(conversation.id);
      if (conversation.isStreaming !== isStreaming) conversation.isStreaming = isStreaming;
    }
  } catch {
    // The flags stay as they are until the next event corrects them.
  }
}
