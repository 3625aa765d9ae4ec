import { beforeEach, describe, expect, it, vi } from 'vitest';
import { streamSetup as setup } from '@/testing/fake-socket';
import { positionAt } from './cursor';

const event = (seq: number, data: object = {}, type = 'conversation.updated'): object => ({
  type,
  stream: 'c',
  seq,
  epoch: 1,
  generation: 0,
  data,
});

beforeEach(() => {
  vi.useFakeTimers();
});

describe('StreamClient', () => {
  it('SaysHelloWithTheBearerAsSubprotocol', () => {
    const { client, last } = setup();
    client.follow('c', positionAt(45, 3, 7, [{ message: 'm', text: 'Hello' }]));
    client.start();
    expect(last().protocols).toEqual(['parley.v1', 'bearer.token']);
    last().onopen?.();
    expect(last().sent).toEqual([
      {
        type: 'hello',
        cursor: { user: 100, conversations: { c: { seq: 45, generation: 3, message: 'm', offset: 5 } } },
      },
    ]);
  });

  it('SubscribesWhatIsFollowedLater', () => {
    const { client, ready } = setup();
    client.start();
    const socket = ready();
    client.follow('c', positionAt(5));
    client.unfollow('c');
    expect(socket.sent.slice(1)).toEqual([
      { type: 'subscribe', conversation: 'c', at: { seq: 5, generation: 0 } },
      { type: 'unsubscribe', conversation: 'c' },
    ]);
  });

  it('HandsOnEventsAndTextInOrder', () => {
    const { client, ready, handlers } = setup();
    client.follow('c', positionAt(5, 0, 1));
    client.start();
    const socket = ready();
    socket.say(event(6, { id: 'm', text: '', status: 'streaming' }, 'message.created'));
    socket.say({
      type: 'message.delta',
      stream: 'c',
      epoch: 1,
      generation: 0,
      message: 'm',
      offset: 0,
      text: 'Hi',
    });
    socket.say(event(6));
    expect(handlers.onConversationEvent).toHaveBeenCalledTimes(1);
    expect(handlers.onText).toHaveBeenCalledExactlyOnceWith('c', 'm', 'Hi');
  });

  it('SaysNothingOfATurnThatWasCut', () => {
    const { client, ready, handlers } = setup();
    client.follow('c', positionAt(5, 2, 3));
    client.start();
    const socket = ready();
    const progress = (generation: number, epoch: number, text: string): void => {
      socket.say({ type: 'turn.progress', stream: 'c', epoch, generation, data: { text } });
    };
    progress(1, 3, 'of a branch that a rewind has cut');
    progress(3, 3, 'of a branch whose rewind is still to come');
    progress(2, 2, 'of the owner before');
    progress(2, 3, 'of this turn');
    progress(2, 4, 'of the owner that goes on with it');
    expect(handlers.onProgress.mock.calls).toEqual([
      ['c', { text: 'of this turn' }],
      ['c', { text: 'of the owner that goes on with it' }],
    ]);
  });

  it('GoesPastAnEventThatItDoesNotKnow', () => {
    const { client, ready, handlers, sockets } = setup();
    client.follow('c', positionAt(5, 0, 1));
    client.start();
    const socket = ready(100);
    socket.say({ ...event(101, {}, 'task.sung'), stream: 'user', epoch: 0 });
    socket.say({ ...event(102), stream: 'user', epoch: 0 });
    socket.say(event(6, {}, 'something.new'));
    socket.say(event(7));
    expect(handlers.onUserEvent.mock.calls.map(([frame]) => (frame as { seq: number }).seq)).toEqual([102]);
    expect(handlers.onConversationEvent.mock.calls.map((call) => (call[1] as { seq: number }).seq)).toEqual([
      7,
    ]);
    // Nothing was requested again: one socket, with only the hello.
    expect(sockets).toHaveLength(1);
    expect(socket.sent).toHaveLength(1);
  });

  it('HandsOnWhoIsThere, and forgets it wherever it subscribes', () => {
    const { client, ready, handlers, last } = setup();
    const present = { people: [{ uuid: 'u1', fullName: 'Ben Ames' }], count: 2 };
    client.follow('c', positionAt(5, 0, 1));
    client.start();
    const socket = ready();
    handlers.onPresence.mockClear();
    socket.say({ type: 'presence', conversation: 'c', ...present });
    socket.say({ type: 'presence', conversation: 'other', ...present });
    expect(handlers.onPresence.mock.calls).toEqual([['c', present]]);
    handlers.onPresence.mockClear();
    socket.say(event(9));
    expect(handlers.onPresence.mock.calls).toEqual([['c', { people: [], count: 0 }]]);
    socket.onclose?.({ code: 1006 });
    vi.advanceTimersByTime(2_000);
    last().onopen?.();
    expect(handlers.onPresence).toHaveBeenCalledTimes(2);
  });

  it('AsksAgainAtAGap, and fetches again when that does not help', () => {
    const { client, ready, handlers } = setup();
    client.follow('c', positionAt(5, 0, 1));
    client.start();
    const socket = ready();
    socket.say(event(9));
    expect(socket.sent.at(-1)).toEqual({
      type: 'subscribe',
      conversation: 'c',
      at: { seq: 5, generation: 0 },
    });
    vi.advanceTimersByTime(5_000);
    expect(handlers.onReset).toHaveBeenCalledExactlyOnceWith('c');
  });

  it('DoesNotFetchAnewWhenTheGapIsMended', () => {
    const { client, ready, handlers } = setup();
    client.follow('c', positionAt(5, 0, 1));
    client.start();
    const socket = ready();
    for (const seq of [7, 6, 7]) socket.say(event(seq));
    vi.advanceTimersByTime(60_000);
    expect(handlers.onReset).not.toHaveBeenCalled();
    expect(handlers.onConversationEvent).toHaveBeenCalledTimes(2);
  });

  it('FetchesAnewOnReset, and appliesNothingUntilFollowedAgain', () => {
    const { client, ready, handlers } = setup();
    client.follow('c', positionAt(5));
    client.start();
    const socket = ready();
    socket.say({ type: 'reset', stream: 'c', seq: 60, generation: 4 });
    expect(handlers.onReset).toHaveBeenCalledWith('c');
    socket.say(event(6));
    expect(handlers.onConversationEvent).not.toHaveBeenCalled();
  });

  it('TellsOfADenial', () => {
    const { client, ready, handlers } = setup();
    client.follow('c', positionAt(5));
    client.start();
    ready().say({ type: 'denied', stream: 'c' });
    expect(handlers.onDenied).toHaveBeenCalledWith('c');
  });

  it('ReconnectsAtAGapInThePersonsLog, and refetches when that does not help', () => {
    const { client, ready, sockets, handlers } = setup();
    client.start();
    ready(100).say({ type: 'conversation.updated', stream: 'user', seq: 103, data: {} });
    expect(sockets).toHaveLength(2);
    const second = ready(103);
    expect(second.sent[0]).toMatchObject({ cursor: { user: 100 } });
    second.say({ type: 'conversation.updated', stream: 'user', seq: 104, data: {} });
    expect(handlers.onResync).toHaveBeenCalledTimes(1);
    second.say({ type: 'conversation.updated', stream: 'user', seq: 105, data: {} });
    expect(handlers.onUserEvent).toHaveBeenCalledTimes(1);
  });

  it('GoesOnAfterAResync', () => {
    const { client, ready, handlers } = setup();
    client.start();
    const socket = ready(100);
    socket.say({ type: 'session.resync', seq: 240 });
    socket.say({ type: 'conversation.updated', stream: 'user', seq: 241, data: {} });
    expect(handlers.onResync).toHaveBeenCalledTimes(1);
    expect(handlers.onUserEvent).toHaveBeenCalledTimes(1);
  });

  it('StopsForGood', () => {
    const { client, ready, sockets, states } = setup();
    client.start();
    ready();
    client.stop();
    client.stop();
    vi.advanceTimersByTime(600_000);
    expect(sockets).toHaveLength(1);
    expect(sockets[0]!.closed).toBe(true);
    expect(states.filter((state) => state.phase === 'closed')).toHaveLength(1);
  });
});
