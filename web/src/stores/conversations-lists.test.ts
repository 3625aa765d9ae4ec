import { beforeEach, describe, expect, it, vi } from 'vitest';
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

  /** Answers each call at a time of the test's choice, in any order. */
  function answerByHand() {
    const calls: { page: string | null; give: (answer: Response) => void }[] = [];
    server.use(
      http.get(list, ({ request }) => {
        const asked = new URL(request.url).searchParams.get('page');
        return new Promise<Response>((give) => calls.push({ page: asked, give }));
      }),
    );
    return calls;
  }

  const first = () => page([newest, newer], '/next');
  const second = () => page([older]);
  const all = { ids: ['newest', 'newer', 'older'], nextPage: null, status: 'fetched' };

  it('GoOnToTheNextPageInARefreshThatIsUnderWay', async () => {
    answerPages();
    await loadConversations('all');
    const calls = answerByHand();
    const refreshing = refreshConversations();
    await loadMoreConversations('all');
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    calls[0]?.give(first());
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]?.page).toBe('2');
    calls[1]?.give(second());
    await refreshing;
    expect(conversationsState.lists.all).toMatchObject(all);
  });

  it.each([
    ['first', [0, 1, 2]],
    ['between', [1, 0, 2]],
    ['last', [1, 2, 0]],
  ])('HoldARefreshAndTheNextPageThatItOvertakes, which is answered %s', async (_, order) => {
    answerPages();
    await loadConversations('all');
    const calls = answerByHand();
    const more = loadMoreConversations('all');
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    const refreshing = refreshConversations();
    for (const call of order) {
      await vi.waitFor(() => expect(calls[call]).toBeDefined());
      calls[call]?.give(calls[call].page === '1' ? first() : second());
      if (call === 0) await more;
    }
    await Promise.all([more, refreshing]);
    expect(conversationsState.lists.all).toMatchObject(all);
  });

  it('HoldARefreshThatTheNextPageHasOvertaken', async () => {
    answerPages();
    await loadConversations('all');
    const calls = answerByHand();
    const slow = refreshConversations();
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    const failing = refreshConversations();
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    calls[1]?.give(problem(401, 'U401', 'no'));
    await failing;
    const more = loadMoreConversations('all');
    await vi.waitFor(() => expect(calls).toHaveLength(3));
    calls[2]?.give(second());
    await more;
    expect(conversationsState.lists.all.ids).toEqual(['newer', 'older']);
    calls[0]?.give(first());
    await vi.waitFor(() => expect(calls).toHaveLength(4));
    calls[3]?.give(second());
    await slow;
    expect(conversationsState.lists.all).toMatchObject(all);
  });

  it('GiveTheNextPersonNothingOfWhatWasAskedForBefore', async () => {
    const calls = answerByHand();
    const loading = loadConversations('all');
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    resetConversations();
    calls[0]?.give(first());
    await loading;
    expect(conversationsState.byId).toEqual({});
    expect(conversationsState.lists.all).toMatchObject({ ids: [], status: 'initial' });
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
