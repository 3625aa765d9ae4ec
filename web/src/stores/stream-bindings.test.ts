import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { StreamHandlers } from '@/stream/stream-options';
import * as line from '@/stream/line';
import type { EventFrame, EventType } from '@/stream/frames';
import { ada, conversationOf } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, page, server } from '@/testing/server';
import { bearer, nobody } from '@/testing/sign-in';
import { closeConversation, openConversation, sessionState } from './conversation-session';
import {
  conversationsState,
  loadConversations,
  putConversation,
  resetConversations,
} from './conversations-store';
import { meState, signInStep } from './me-store';
import { startStream } from './stream-bindings';
import { eventually } from '@/testing/eventually';

/** Starts the stream and answers the handlers that the line was given. */
function setup(): StreamHandlers {
  const open = vi.spyOn(line, 'openLine').mockReturnValue();
  startStream('u1');
  return open.mock.calls[0]![0].handlers;
}

const event = (type: EventType, data: object): EventFrame => ({
  type,
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

describe('the person’s log', () => {
  it('MarksAConversationAsRunningAndUnread', () => {
    const { onUserEvent } = setup();
    putConversation(conversationOf());
    onUserEvent(
      event('message.created', { conversationId: 'c1', messageId: 'm', role: 'user', streaming: true }),
    );
    expect(conversationsState.byId['c1']).toMatchObject({ isStreaming: true, unreadMessages: 0 });
    onUserEvent(
      event('message.created', { conversationId: 'c1', messageId: 'n', role: 'assistant', streaming: true }),
    );
    expect(conversationsState.byId['c1']).toMatchObject({ unreadMessages: 1 });
    onUserEvent(
      event('conversation.streaming-complete', {
        conversationId: 'c1',
        turnId: 't',
        status: 'complete',
        credits: 3,
      }),
    );
    expect(conversationsState.byId['c1']).toMatchObject({ isStreaming: false, credits: 3 });
  });

  it('CountsNothingAsUnreadThatIsLookedAt', async () => {
    const { onUserEvent } = setup();
    putConversation(conversationOf());
    server.use(http.get(api('discourse/conversations/c1'), () => HttpResponse.json(conversationOf())));
    await openConversation('c1');
    onUserEvent(
      event('message.created', { conversationId: 'c1', messageId: 'n', role: 'assistant', streaming: true }),
    );
    onUserEvent(event('conversation.updated', { id: 'c1', name: 'Renamed', unreadMessages: 3 }));
    expect(conversationsState.byId['c1']).toMatchObject({ unreadMessages: 0, name: 'Renamed' });
    expect(sessionState.current).toMatchObject({ conversation: { name: 'Renamed' } });
  });

  it('FetchesTheListForAConversationThatItDoesNotKnow', async () => {
    const { onUserEvent } = setup();
    let results = [conversationOf()];
    server.use(http.get(api('discourse/conversations'), () => page(results)));
    await loadConversations('all');
    results = [conversationOf({ id: 'c2' }), ...results];
    onUserEvent(event('conversation.created', { id: 'c2', name: 'New' }));
    await eventually(() => expect(conversationsState.lists.all.ids).toEqual(['c2', 'c1']));
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

  it('AsksWhatRunsWhenItIsBack', async () => {
    const { onState } = setup();
    putConversation(conversationOf({ isStreaming: true }));
    server.use(http.get(api('discourse/conversations/running'), () => page([])));
    onState({ phase: 'retrying', attempt: 0, of: 3 });
    onState({ phase: 'open' });
    await eventually(() => expect(conversationsState.byId['c1']?.isStreaming).toBe(false));
  });

  it('LosesAConversationThatIsDenied', async () => {
    const { onDenied } = setup();
    putConversation(conversationOf());
    server.use(http.get(api('discourse/conversations/c1'), () => HttpResponse.json(conversationOf())));
    await openConversation('c1');
    onDenied('c1');
    expect(sessionState.current).toEqual({ phase: 'missing', id: 'c1' });
    expect(conversationsState.byId['c1']).toBeUndefined();
  });
});
