import { listConversations, listRunning } from '@/api/conversations';
import { conversationScopes, type ConversationScope } from '@/lib/conversation-list';
import { emptyList, holdAnswer, placeNewer, searches, sorted, state, touched } from './state';

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
