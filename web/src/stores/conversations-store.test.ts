import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { conversationOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import {
  archiveConversation,
  conversationsState,
  conversationUsed,
  fetchConversation,
  forgetConversation,
  loadConversations,
  loadMoreConversations,
  patchConversation,
  putConversation,
  readConversation,
  refreshConversations,
  refreshRunning,
  removeConversation,
  resetConversations,
  toggleFavorite,
} from './conversations-store';

const list = api('discourse/conversations');
const older = conversationOf({ id: 'old', updatedAt: '2026-11-19T08:00:00.000Z' });
const newer = conversationOf({ id: 'new', updatedAt: '2026-11-20T08:00:00.000Z' });

function answerList(): URL[] {
  const urls: URL[] = [];
  server.use(
    http.get(list, ({ request }) => {
      const url = new URL(request.url);
      urls.push(url);
      if (url.searchParams.get('status') === 'archived') return page([]);
      return url.searchParams.get('page') === '1' ? page([newer], '/next') : page([older]);
    }),
  );
  return urls;
}

beforeEach(() => {
  resetConversations();
});

describe('lists', () => {
  it('LoadEachFilterOnItsFirstUseOnly', async () => {
    const urls = answerList();
    await loadConversations('all');
    await loadConversations('all');
    await loadConversations('archived');
    expect(urls.map((url) => [url.searchParams.get('scope'), url.searchParams.get('status')])).toEqual([
      ['all', null],
      ['all', 'archived'],
    ]);
    expect(urls[0]?.searchParams.get('page_size')).toBe('50');
    expect(urls[0]?.searchParams.get('sort')).toBe('-updated_at');
  });

  it('LoadMoreUntilTheEnd', async () => {
    answerList();
    await loadConversations('all');
    await loadMoreConversations('all');
    await loadMoreConversations('all');
    expect(conversationsState.lists.all).toMatchObject({
      ids: ['new', 'old'],
      nextPage: null,
      status: 'fetched',
    });
  });

  it('SayThatTheyFailed, and canBeTriedAgain', async () => {
    server.use(http.get(list, () => problem(500, 'I500', 'no')));
    await loadConversations('all');
    expect(conversationsState.lists.all.status).toBe('failed');
    answerList();
    await loadConversations('all');
    expect(conversationsState.lists.all.status).toBe('fetched');
  });

  it('PutTheLatestFirst', async () => {
    answerList();
    await loadConversations('all');
    await loadMoreConversations('all');
    conversationUsed('old', '2026-11-21T00:00:00.000Z', { isStreaming: true });
    expect(conversationsState.lists.all.ids).toEqual(['old', 'new']);
    expect(conversationsState.byId['old']).toMatchObject({ isStreaming: true });
  });

  it('KeepTheirIdentityWhenNothingMoves', async () => {
    answerList();
    await loadConversations('all');
    const before = conversationsState.lists.all.ids;
    patchConversation('new', { isStreaming: true });
    expect(conversationsState.lists.all.ids).toBe(before);
  });

  it('TakeInANewConversationOnce', async () => {
    answerList();
    await loadConversations('all');
    const fresh = conversationOf({ id: 'fresh', updatedAt: '2026-11-22T00:00:00.000Z' });
    putConversation(fresh);
    putConversation(fresh);
    expect(conversationsState.lists.all.ids).toEqual(['fresh', 'new']);
  });

  it('KeepWhatHasHappenedWhileTheirAnswerWasOnItsWay', async () => {
    answerList();
    await loadConversations('all');
    const { held, release } = hold();
    const gone = conversationOf({ id: 'gone' });
    server.use(
      http.get(list, async () => {
        await held;
        return page([newer, gone]);
      }),
      // A change that is not in the event: an earlier one, which was missed.
      http.get(api('discourse/conversations/new'), () =>
        HttpResponse.json({ ...newer, name: 'Renamed', isStreaming: true }),
      ),
    );
    putConversation(gone);
    const refreshed = refreshConversations();
    // The answer was created before all of this.
    putConversation(conversationOf({ id: 'fresh', updatedAt: '2026-11-20T09:00:00.000Z' }));
    conversationUsed('new', '2026-11-20T10:00:00.000Z', { isStreaming: true });
    forgetConversation('gone');
    release();
    await refreshed;
    expect(conversationsState.lists.all.ids).toEqual(['new', 'fresh']);
    expect(conversationsState.byId['new']?.isStreaming).toBe(true);
    expect(conversationsState.byId['gone']).toBeUndefined();
    await vi.waitFor(() => expect(conversationsState.byId['new']?.name).toBe('Renamed'));
  });

  it('SayWhenAConversationIsUnknown', () => {
    expect(patchConversation('nobody', { name: 'x' })).toBe(false);
    expect(conversationUsed('nobody', '2026-11-21T00:00:00.000Z', { isStreaming: true })).toBe(false);
  });
});

describe('fetchConversation', () => {
  const one = api('discourse/conversations/new');

  it('TakesOutWhatMayNotBeReadAnyMore', async () => {
    answerList();
    await loadConversations('all');
    server.use(http.get(one, () => problem(404, 'not-found', 'no')));
    await fetchConversation('new');
    expect(conversationsState.lists.all.ids).toEqual([]);
    expect(conversationsState.byId['new']).toBeUndefined();
  });

  it('KeepsWhatIsShownWhereTheServerDoesNotAnswer, and tries again', async () => {
    answerList();
    await loadConversations('all');
    server.use(http.get(one, () => problem(500, 'x', 'x')));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await fetchConversation('new');
    expect(conversationsState.lists.all.ids).toEqual(['new']);
    server.use(http.get(one, () => HttpResponse.json({ ...newer, name: 'Renamed' })));
    expect(conversationsState.byId['new']?.name).toBe(newer.name);
    await vi.advanceTimersByTimeAsync(2_400);
    await vi.waitFor(() => expect(conversationsState.byId['new']?.name).toBe('Renamed'));
    vi.useRealTimers();
  });

  it('TriesNothingAgainForTheNextOneWhoSignsIn', async () => {
    let asked = 0;
    server.use(
      http.get(one, () => {
        asked++;
        return problem(500, 'x', 'x');
      }),
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await fetchConversation('new');
    const before = asked;
    resetConversations();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(before);
    vi.useRealTimers();
  });

  it('AsksAgain when an event was quicker than the answer', async () => {
    answerList();
    await loadConversations('all');
    let fetched = 0;
    const { held, release } = hold();
    server.use(
      http.get(one, async () => {
        fetched++;
        if (fetched === 1) await held;
        return HttpResponse.json({ ...newer, name: fetched === 1 ? 'Before' : 'After' });
      }),
    );
    const done = fetchConversation('new');
    patchConversation('new', { name: 'After' });
    release();
    await done;
    expect(fetched).toBe(2);
    expect(conversationsState.byId['new']?.name).toBe('After');
  });

  it('DoesNotBringBackWhatWasDeletedMeanwhile', async () => {
    answerList();
    await loadConversations('all');
    const { held, release } = hold();
    server.use(
      http.get(one, async () => {
        await held;
        return HttpResponse.json(newer);
      }),
    );
    const done = fetchConversation('new');
    forgetConversation('new');
    release();
    await done;
    expect(conversationsState.lists.all.ids).toEqual([]);
  });

  it('BringsNothingToTheNextOneWhoSignsIn', async () => {
    const { held, release } = hold();
    server.use(
      http.get(one, async () => {
        await held;
        return HttpResponse.json(newer);
      }),
    );
    const done = fetchConversation('new');
    resetConversations();
    release();
    await done;
    expect(conversationsState.byId).toEqual({});
  });
});

describe('archiveConversation', () => {
  it('MovesBetweenTheLists', async () => {
    answerList();
    server.use(
      http.patch(api('user/me/conversations/new/status'), () => new HttpResponse(null, { status: 204 })),
    );
    await loadConversations('all');
    await loadConversations('archived');
    const said = vi.spyOn(notify, 'success').mockReturnValue();
    expect(await archiveConversation('new', 'archived')).toBe(true);
    expect(said).toHaveBeenCalledExactlyOnceWith('Conversation archived successfully');
    expect(conversationsState.lists.all.ids).toEqual([]);
    expect(conversationsState.lists.archived.ids).toEqual(['new']);
  });

  it('StaysWhereItWasWhenRefused', async () => {
    const said = vi.spyOn(notify, 'error').mockReturnValue();
    answerList();
    server.use(http.patch(api('user/me/conversations/new/status'), () => problem(500, 'I500', 'no')));
    await loadConversations('all');
    expect(await archiveConversation('new', 'archived')).toBe(false);
    expect(conversationsState.lists.all.ids).toEqual(['new']);
    expect(said).toHaveBeenCalledWith('Failed to archive conversation');
  });
});

describe('toggleFavorite', () => {
  it('ShowsAtOnce, and goesBackWhenRefused', async () => {
    const said = vi.spyOn(notify, 'error').mockReturnValue();
    answerList();
    server.use(http.put(api('discourse/conversations/new/favorite'), () => problem(500, 'I500', 'no')));
    await loadConversations('all');
    const done = toggleFavorite('new', true);
    expect(conversationsState.byId['new']?.isFavorite).toBe(true);
    expect(await done).toBe(false);
    expect(conversationsState.byId['new']?.isFavorite).toBe(false);
    expect(said).toHaveBeenCalledWith('Failed to favorite conversation');
  });
});

describe('removeConversation', () => {
  it('TakesItOutOfEverything', async () => {
    answerList();
    server.use(
      http.delete(api('discourse/conversations/new'), () => new HttpResponse(null, { status: 204 })),
    );
    await loadConversations('all');
    expect(await removeConversation('new')).toBe(true);
    expect(conversationsState.byId['new']).toBeUndefined();
    expect(conversationsState.lists.all.ids).toEqual([]);
    forgetConversation('new');
  });

  it('KeepsItWhenRefused', async () => {
    const said = vi.spyOn(notify, 'error').mockReturnValue();
    answerList();
    server.use(http.delete(api('discourse/conversations/new'), () => problem(500, 'I500', 'no')));
    await loadConversations('all');
    expect(await removeConversation('new')).toBe(false);
    expect(conversationsState.lists.all.ids).toEqual(['new']);
    expect(said).toHaveBeenCalledWith('Failed to delete conversation');
  });
});

describe('readConversation', () => {
  it('TellsTheServerOnlyWhenSomethingIsUnread', async () => {
    let calls = 0;
    server.use(
      http.post(api('discourse/conversations/new/read'), () => {
        calls++;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    putConversation({ ...newer, unreadMessages: 2 });
    await readConversation('new');
    await readConversation('new');
    expect(calls).toBe(1);
    expect(conversationsState.byId['new']?.unreadMessages).toBe(0);
  });
});

describe('refreshRunning', () => {
  it('SetsAndClearsTheFlags', async () => {
    putConversation({ ...newer, isStreaming: true });
    putConversation(older);
    server.use(http.get(api('discourse/conversations/running'), () => page([older])));
    await refreshRunning();
    expect(conversationsState.byId['new']?.isStreaming).toBe(false);
    expect(conversationsState.byId['old']?.isStreaming).toBe(true);
  });
});
