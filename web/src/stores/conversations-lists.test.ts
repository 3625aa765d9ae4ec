import { beforeEach, describe, expect, it } from 'vitest';
import { conversationOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { api, http, page, problem, server } from '@/testing/server';
import {
  conversationsState,
  forgetSearch,
  loadConversations,
  loadMoreConversations,
  patchConversation,
  putConversation,
  refreshConversations,
  refreshRunning,
  resetConversations,
  searchConversations,
  searchMoreConversations,
} from './conversations-store';

const list = api('discourse/conversations');
const newest = conversationOf({ id: 'newest', updatedAt: '2026-11-21T08:00:00.000Z' });
const newer = conversationOf({ id: 'newer', updatedAt: '2026-11-20T08:00:00.000Z' });
const older = conversationOf({ id: 'older', updatedAt: '2026-11-19T08:00:00.000Z' });

/** Two pages of one conversation each. */
function answerPages(): void {
  server.use(
    http.get(list, ({ request }) =>
      new URL(request.url).searchParams.get('page') === '1' ? page([newer], '/next') : page([older]),
    ),
  );
}

function fail(): void {
  server.use(http.get(list, () => problem(500, 'I500', 'no')));
}

beforeEach(() => {
  resetConversations();
});

describe('lists on a slow line', () => {
  it('DropAnAnswerThatALaterOneHasOvertaken', async () => {
    answerPages();
    await loadConversations('all');
    const slow = hold();
    const answers = [slow.held.then(() => page([newer])), page([newest, newer])];
    server.use(http.get(list, () => answers.shift() ?? page([])));
    const first = refreshConversations();
    await refreshConversations();
    slow.release();
    await first;
    expect(conversationsState.lists.all).toMatchObject({ ids: ['newest', 'newer'], status: 'fetched' });
  });

  it('ShowAnAnswerAlthoughALaterOneIsOnItsWay', async () => {
    const slow = hold();
    const answers = [page([newer]), slow.held.then(() => page([newest, newer]))];
    server.use(http.get(list, () => answers.shift() ?? page([])));
    const first = loadConversations('all');
    const second = refreshConversations();
    await first;
    expect(conversationsState.lists.all).toMatchObject({ ids: ['newer'], status: 'updating' });
    slow.release();
    await second;
    expect(conversationsState.lists.all).toMatchObject({ ids: ['newest', 'newer'], status: 'fetched' });
  });

  it('StayAsLongAsTheyAreWhenTheyAreFetchedAnew', async () => {
    answerPages();
    await loadConversations('all');
    await loadMoreConversations('all');
    await refreshConversations();
    expect(conversationsState.lists.all).toMatchObject({ ids: ['newer', 'older'], nextPage: null });
  });

  it('GoOnAfterAPageThatFailed', async () => {
    answerPages();
    await loadConversations('all');
    fail();
    await loadMoreConversations('all');
    expect(conversationsState.lists.all).toMatchObject({ ids: ['newer'], status: 'failed' });
    answerPages();
    await loadMoreConversations('all');
    expect(conversationsState.lists.all).toMatchObject({ ids: ['newer', 'older'], status: 'fetched' });
  });
});

describe('searches on a slow line', () => {
  it('ShowNothingOfOtherWordsWhenTheyFail', async () => {
    answerPages();
    await searchConversations('all', 'spring');
    fail();
    await searchConversations('all', 'autumn');
    expect(conversationsState.found).toMatchObject({ ids: [], status: 'failed' });
  });

  it('GoOnAfterAPageThatFailed', async () => {
    answerPages();
    await searchConversations('all', 'spring');
    fail();
    await searchMoreConversations();
    answerPages();
    await searchMoreConversations();
    expect(conversationsState.found).toMatchObject({ ids: ['newer', 'older'], status: 'fetched' });
  });

  it('BeginWithNothingOnceTheFieldWasEmpty', async () => {
    answerPages();
    await searchConversations('all', 'spring');
    forgetSearch();
    const searching = searchConversations('all', 'autumn');
    expect(conversationsState.found).toMatchObject({ ids: [], status: 'fetching' });
    await searching;
  });
});

describe('refreshRunning on a slow line', () => {
  it('LeavesWhatAnEventHasSaidSince', async () => {
    putConversation({ ...newer, isStreaming: true });
    const slow = hold();
    server.use(http.get(api('discourse/conversations/running'), () => slow.held.then(() => page([newer]))));
    const asked = refreshRunning();
    patchConversation('newer', { isStreaming: false });
    slow.release();
    await asked;
    expect(conversationsState.byId['newer']?.isStreaming).toBe(false);
  });
});
