import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import type { StreamHandlers } from '@/stream/stream-options';
import * as line from '@/stream/line';
import type { EventFrame, EventType } from '@/stream/frames';
import { ada, conversationOf, messageOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { api, http, HttpResponse, page, server } from '@/testing/server';
import { bearer, nobody } from '@/testing/sign-in';
import { closeConversation, openConversation, refetch, sessionState } from './conversation-session';
import {
  conversationsState,
  loadConversations,
  putConversation,
  resetConversations,
} from './conversations-store';
import { meState, signInStep } from './me-store';
import { startStream } from './stream-bindings';
import { eventually } from '@/testing/eventually';

/** Starts the stream and returns the handlers that were passed to it. */
function setup(): StreamHandlers {
  const open = vi.spyOn(line, 'openLine').mockReturnValue();
  startStream('u1', 0);
  return open.mock.calls[0]![0].handlers;
}

const event = (type: EventType, data: object, at = '2026-11-20T10:00:00.000Z'): EventFrame => ({
  type,
  at,
  stream: 'user',
  seq: 1,
  epoch: 0,
  generation: 0,
  data,
});

beforeEach(() => {
  resetConversations();
  closeConversation();
  nobody();
});

/** The people that the open conversation shows as present. */
function present(): unknown {
  return sessionState.current.phase === 'ready' ? sessionState.current.present : null;
}

describe('who is there', () => {
  const two = { people: [ada, { uuid: 'u2', fullName: 'Ben Ames' }], count: 2 };

  it('is known of the open conversation until it is fetched again or the connection is lost', async () => {
    const { onPresence, onState } = setup();
    server.use(http.get(api('discourse/conversations/c1'), () => HttpResponse.json(conversationOf())));
    onPresence('c1', two);
    await openConversation('c1');
    expect(present()).toEqual({ people: [], count: 0 });
    onPresence('c2', two);
    expect(present()).toEqual({ people: [], count: 0 });
    onPresence('c1', two);
    expect(present()).toEqual(two);
    await refetch('c1');
    expect(present()).toEqual({ people: [], count: 0 });
    onPresence('c1', two);
    onState({ phase: 'open' });
    expect(present()).toEqual(two);
    onState({ phase: 'retrying', attempt: 0, of: 3 });
    expect(present()).toEqual({ people: [], count: 0 });
  });
});

describe('the person’s log', () => {
  /** The end of an answer, as the server sends it. */
  const ended = (status: string): EventFrame =>
    event('conversation.streaming-complete', { conversationId: 'c1', turnId: 't', status, credits: 3 });

  it('marks a conversation as running from its prompt to its end, and as unread from then on', () => {
    const { onUserEvent } = setup();
    putConversation(conversationOf());
    onUserEvent(
      event('message.created', { conversationId: 'c1', messageId: 'm', role: 'user', streaming: true }),
    );
    expect(conversationsState.byId['c1']).toMatchObject({ isStreaming: true, unreadMessages: 0 });
    onUserEvent(ended('complete'));
    expect(conversationsState.byId['c1']).toMatchObject({
      isStreaming: false,
      credits: 3,
      unreadMessages: 1,
    });
  });

  it('puts what was changed first, and not what somebody has only marked for themselves', async () => {
    const { onUserEvent } = setup();
    const times = { a: '2026-11-20T09:00:00.000Z', b: '2026-11-20T08:00:00.000Z' };
    const all = Object.entries(times).map(([id, updatedAt]) => conversationOf({ id, updatedAt }));
    server.use(http.get(api('discourse/conversations'), () => page(all)));
    await loadConversations('all');
    const ids = () => conversationsState.lists.all.ids;
    onUserEvent(event('conversation.updated', { id: 'b', isFavorite: true }));
    onUserEvent(event('conversation.updated', { id: 'b', unreadMessages: 0 }));
    expect(ids()).toEqual(['a', 'b']);
    onUserEvent(event('conversation.updated', { id: 'b', name: 'Renamed' }));
    expect(ids()).toEqual(['b', 'a']);
    const end = { conversationId: 'a', turnId: 't', status: 'complete', credits: 3 };
    onUserEvent(event('conversation.streaming-complete', end, '2026-11-20T10:00:01.000Z'));
    expect(ids()).toEqual(['a', 'b']);
    // Another tab has rewound it.
    onUserEvent(event('conversation.rewound', { conversationId: 'b' }, '2026-11-20T10:00:02.000Z'));
    expect(ids()).toEqual(['b', 'a']);
    // A change of access does not move it in the list: its position is the one from the server.
    server.use(http.get(api('discourse/conversations/a'), () => HttpResponse.json(all[0])));
    onUserEvent(event('conversation.updated', { id: 'a', accessChanged: true }, '2026-11-20T10:00:03.000Z'));
    expect(ids()).toEqual(['b', 'a']);
    // At equal times the server has the later id first.
    onUserEvent(event('conversation.rewound', { conversationId: 'a' }, '2026-11-20T10:00:02.000Z'));
    expect(ids()).toEqual(['b', 'a']);
  });

  it('counts an answer that its owner has stopped as unread for the other readers only', () => {
    const { onUserEvent } = setup();
    putConversation(conversationOf());
    onUserEvent(ended('stopped'));
    expect(conversationsState.byId['c1']).toMatchObject({ unreadMessages: 0 });
    putConversation(conversationOf({ ownerStatus: 'shared' }));
    onUserEvent(ended('stopped'));
    expect(conversationsState.byId['c1']).toMatchObject({ unreadMessages: 1 });
  });

  it('counts nothing as unread that is on screen, and tells the server so', async () => {
    const { onUserEvent } = setup();
    putConversation(conversationOf());
    let told = 0;
    server.use(
      http.get(api('discourse/conversations/c1'), () => HttpResponse.json(conversationOf())),
      http.post(api('discourse/conversations/c1/read'), () => {
        told++;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await openConversation('c1');
    onUserEvent(ended('complete'));
    onUserEvent(event('conversation.updated', { id: 'c1', name: 'Renamed', unreadMessages: 3 }));
    expect(conversationsState.byId['c1']).toMatchObject({ unreadMessages: 0, name: 'Renamed' });
    expect(sessionState.current).toMatchObject({ conversation: { name: 'Renamed' } });
    await eventually(() => expect(told).toBe(1));
  });

  it('FetchesAConversationThatItDoesNotKnow, and no list', async () => {
    const { onUserEvent } = setup();
    const asked: string[] = [];
    const updatedAt = '2026-11-20T10:00:00.000Z';
    server.use(
      http.get(api('discourse/conversations'), ({ request }) => {
        asked.push(request.url);
        return page([conversationOf()]);
      }),
      http.get(api('discourse/conversations/c2'), ({ request }) => {
        asked.push(request.url);
        return HttpResponse.json(conversationOf({ id: 'c2', updatedAt, messageSet: [messageOf({})] }));
      }),
    );
    await loadConversations('all');
    asked.length = 0;
    onUserEvent(event('conversation.created', { id: 'c2', name: 'New' }));
    await eventually(() => expect(conversationsState.lists.all.ids).toEqual(['c2', 'c1']));
    expect(conversationsState.byId['c2']?.messageSet).toEqual([]);
    expect(asked).toEqual([expect.stringContaining('/discourse/conversations/c2?message_page_size=1')]);
  });

  it('FetchesAnArchivedConversationOnce, however often it is heard of', async () => {
    const { onUserEvent } = setup();
    let fetched = 0;
    const { held, release } = hold();
    server.use(
      http.get(api('discourse/conversations'), () => page([conversationOf()])),
      http.get(api('discourse/conversations/c2'), async () => {
        fetched++;
        await held;
        return HttpResponse.json(conversationOf({ id: 'c2', status: 'archived' }));
      }),
    );
    await loadConversations('all');
    const note = (n: number): void =>
      onUserEvent(
        event('message.created', {
          conversationId: 'c2',
          messageId: `m${n}`,
          role: 'assistant',
          streaming: true,
        }),
      );
    for (let n = 0; n < 20; n++) note(n);
    release();
    // Events during a fetch cause one more fetch, and events afterwards cause none.
    await eventually(() => expect(fetched).toBe(2));
    await eventually(() => expect(conversationsState.byId['c2']).toBeDefined());
    for (let n = 20; n < 40; n++) note(n);
    expect(conversationsState.byId['c2']).toMatchObject({ isStreaming: true });
    expect(conversationsState.lists.all.ids).toEqual(['c1']);
    expect(fetched).toBe(2);
  });

  it('SortsByTheServersClock', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-01T00:00:00Z') });
    const { onUserEvent } = setup();
    server.use(http.get(api('discourse/conversations'), () => page([])));
    await loadConversations('all');
    putConversation(conversationOf({ id: 'live', updatedAt: '2026-11-20T08:00:00.000Z' }));
    putConversation(conversationOf({ id: 'other', updatedAt: '2026-11-20T09:00:00.000Z' }));
    const note = { conversationId: 'live', messageId: 'm', role: 'assistant', streaming: true };
    onUserEvent(event('message.created', note, '2026-11-20T09:30:00.000Z'));
    expect(conversationsState.lists.all.ids).toEqual(['live', 'other']);
    // A late event does not set the time back.
    onUserEvent(event('message.created', note, '2026-11-20T07:00:00.000Z'));
    expect(conversationsState.byId['live']?.updatedAt).toBe('2026-11-20T09:30:00.000Z');
    vi.useRealTimers();
  });

  it('counts nothing twice that the list knows of already', async () => {
    const { onUserEvent } = setup();
    server.use(
      http.get(api('discourse/conversations'), () =>
        page([conversationOf({ unreadMessages: 1, name: 'Renamed' })], null, 7),
      ),
    );
    await loadConversations('all');
    onUserEvent({ ...event('conversation.updated', { id: 'c1', name: 'Before' }), seq: 5 });
    onUserEvent({ ...event('conversation.deleted', { id: 'c1' }), seq: 6 });
    onUserEvent({ ...ended('complete'), seq: 7 });
    expect(conversationsState.byId['c1']).toMatchObject({ unreadMessages: 1, name: 'Renamed', credits: 0 });
    onUserEvent({ ...ended('complete'), seq: 8 });
    expect(conversationsState.byId['c1']).toMatchObject({ unreadMessages: 2, credits: 3 });
  });

  it('keeps what a list says that was read later, whichever answer comes first', async () => {
    const { onUserEvent } = setup();
    const { held, release } = hold();
    server.use(
      http.get(api('discourse/conversations'), async ({ request }) => {
        if (new URL(request.url).searchParams.get('scope') === 'favorite') {
          await held;
          return page([conversationOf({ isFavorite: true, unreadMessages: 1 })], null, 4);
        }
        return page([conversationOf({ isFavorite: true, unreadMessages: 2 })], null, 6);
      }),
    );
    const older = loadConversations('favorite');
    await loadConversations('all');
    onUserEvent({ ...ended('complete'), seq: 6 });
    release();
    await older;
    expect(conversationsState.lists.favorite.ids).toEqual(['c1']);
    expect(conversationsState.byId['c1']).toMatchObject({ unreadMessages: 2 });
  });

  it('knows of an answer that ended while the list that does not know of it was on its way', async () => {
    const { onUserEvent } = setup();
    const { held, release } = hold();
    server.use(
      http.get(api('discourse/conversations'), async () => {
        await held;
        return page([conversationOf({ isStreaming: true })], null, 4);
      }),
      http.get(api('discourse/conversations/c1'), () =>
        HttpResponse.json(conversationOf({ unreadMessages: 1, credits: 3 })),
      ),
    );
    const loaded = loadConversations('all');
    onUserEvent({ ...ended('complete'), seq: 5 });
    await eventually(() => expect(conversationsState.byId['c1']).toBeDefined());
    release();
    await loaded;
    expect(conversationsState.lists.all.ids).toEqual(['c1']);
    expect(conversationsState.byId['c1']).toMatchObject({
      isStreaming: false,
      unreadMessages: 1,
      credits: 3,
    });
  });

  it('TakesOutADeletedConversation', () => {
    const { onUserEvent } = setup();
    putConversation(conversationOf());
    onUserEvent(event('conversation.deleted', { id: 'c1' }));
    expect(conversationsState.byId['c1']).toBeUndefined();
  });
});

describe('the line', () => {
  it.each([
    ['failed', 'S429'],
    ['sign-in', 'E401'],
    ['forbidden', 'U401'],
    ['stop', 'S429'],
  ] as const)('EndsTheSessionWhenLost because %s', (because, code) => {
    server.use(http.get(api('user/me'), () => HttpResponse.json(ada)));
    signInStep({ type: 'held', bearer: bearer() });
    setup().onState({ phase: 'lost', because });
    expect(meState.signIn).toMatchObject({ phase: 'ended', code });
  });

  it('asks for no list again when it opens, and for all of them when something was missed', async () => {
    const { onState, onResync } = setup();
    let asked = 0;
    server.use(
      http.get(api('discourse/conversations'), () => {
        asked++;
        return page([conversationOf()]);
      }),
    );
    await loadConversations('all');
    onState({ phase: 'connecting' });
    onState({ phase: 'open' });
    expect(asked).toBe(1);
    onResync();
    await eventually(() => expect(asked).toBe(2));
  });

  it('AsksWhatRunsWhenItIsBack', async () => {
    const { onState } = setup();
    putConversation(conversationOf({ isStreaming: true }));
    server.use(http.get(api('discourse/conversations/running'), () => page([])));
    onState({ phase: 'retrying', attempt: 0, of: 3 });
    onState({ phase: 'open' });
    await eventually(() => expect(conversationsState.byId['c1']?.isStreaming).toBe(false));
  });

  it('LosesAConversationThatIsDenied, and says so once', async () => {
    const { onDenied, onUserEvent } = setup();
    const said = vi.spyOn(notify, 'error').mockReturnValue();
    putConversation(conversationOf());
    server.use(http.get(api('discourse/conversations/c1'), () => HttpResponse.json(conversationOf())));
    await openConversation('c1');
    // The list gets it from the person's log, before or after.
    onUserEvent(event('conversation.deleted', { id: 'c1' }));
    onDenied('c1');
    onDenied('c1');
    expect(sessionState.current).toEqual({ phase: 'missing', id: 'c1' });
    expect(conversationsState.byId['c1']).toBeUndefined();
    expect(said.mock.calls).toEqual([['You do not have permission to access this conversation']]);
  });

  it.each([
    ['owner', []],
    ['shared', [['This conversation was deleted']]],
  ] as const)('tells of a deletion to who has not done it: %s', async (ownerStatus, told) => {
    const { onConversationEvent, onDenied } = setup();
    const said = vi.spyOn(notify, 'error').mockReturnValue();
    const read = conversationOf({ ownerStatus });
    server.use(http.get(api('discourse/conversations/c1'), () => HttpResponse.json(read)));
    await openConversation('c1');
    onConversationEvent('c1', event('conversation.deleted', { id: 'c1' }));
    onDenied('c1');
    expect(sessionState.current).toEqual({ phase: 'missing', id: 'c1' });
    expect(said.mock.calls).toEqual(told);
  });
});
