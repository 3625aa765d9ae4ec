import { beforeEach, describe, expect, it, vi } from 'vitest';
import { positionAt } from './cursor';
import { StreamClient } from './socket';
import type { ConnectionState, StreamHandlers } from './stream-options';

/** The other end of a socket, driven by the test. */
class FakeSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: unknown[] = [];
  closed = false;
  constructor(
    readonly url: string,
    readonly protocols: string[],
  ) {}
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.closed = true;
  }
  say(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

interface Bundle {
  client: StreamClient;
  sockets: FakeSocket[];
  states: ConnectionState[];
  handlers: { [K in keyof StreamHandlers]: ReturnType<typeof vi.fn> };
  last: () => FakeSocket;
  /** Opens the newest socket and makes it ready. */
  ready: (seq?: number) => FakeSocket;
}

function setup(): Bundle {
  const sockets: FakeSocket[] = [];
  const states: ConnectionState[] = [];
  const handlers = {
    onUserEvent: vi.fn(),
    onConversationEvent: vi.fn(),
    onText: vi.fn(),
    onProgress: vi.fn(),
    onReset: vi.fn(),
    onDenied: vi.fn(),
    onResync: vi.fn(),
    onState: vi.fn((state: ConnectionState) => void states.push(state)),
  };
  const client = new StreamClient({
    url: 'ws://here/stream',
    bearer: () => 'token',
    handlers,
    open: (url, protocols) => {
      const socket = new FakeSocket(url, protocols);
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
  });
  const last = (): FakeSocket => sockets.at(-1)!;
  const ready = (seq = 100): FakeSocket => {
    const socket = last();
    socket.onopen?.();
    socket.say({ type: 'session.ready', seq });
    return socket;
  };
  return { client, sockets, states, handlers, last, ready };
}

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
        cursor: { conversations: { c: { seq: 45, generation: 3, message: 'm', offset: 5 } } },
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

  it('GoesPastAnEventThatItDoesNotKnow', () => {
    const { client, ready, handlers, sockets } = setup();
    client.follow('c', positionAt(5, 0, 1));
    client.start();
    const socket = ready(100);
    socket.say({ ...event(101, {}, 'task.run-started'), stream: 'user', epoch: 0 });
    socket.say({ ...event(102), stream: 'user', epoch: 0 });
    socket.say(event(6, {}, 'something.new'));
    socket.say(event(7));
    expect(handlers.onUserEvent.mock.calls.map(([frame]) => (frame as { seq: number }).seq)).toEqual([102]);
    expect(handlers.onConversationEvent.mock.calls.map((call) => (call[1] as { seq: number }).seq)).toEqual([
      7,
    ]);
    // Nothing was asked again: one socket, and on it no more than the hello.
    expect(sockets).toHaveLength(1);
    expect(socket.sent).toHaveLength(1);
  });

  it('AsksAgainAtAGap, and fetches anew when that does not help', () => {
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

  it('ComesBackWithTheCursorItHas', () => {
    const { client, ready, sockets, handlers } = setup();
    client.follow('c', positionAt(5));
    client.start();
    const first = ready(100);
    first.say({ type: 'conversation.updated', stream: 'user', seq: 101, data: { id: 'c' } });
    first.say(event(6));
    first.onclose?.({ code: 4503 });
    vi.advanceTimersByTime(0);
    expect(sockets).toHaveLength(2);
    sockets[1]!.onopen?.();
    expect(sockets[1]!.sent[0]).toMatchObject({ cursor: { user: 101, conversations: { c: { seq: 6 } } } });
    expect(handlers.onUserEvent).toHaveBeenCalledTimes(1);
  });

  it('TriesThreeTimesTenSecondsApart, then gives up', () => {
    const { client, ready, sockets, states, last } = setup();
    client.start();
    ready().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(0);
    expect(sockets).toHaveLength(2);
    for (const attempt of [1, 2, 3]) {
      last().onclose?.({ code: 1006 });
      expect(states.at(-1)).toEqual({ phase: 'retrying', attempt, of: 3 });
      vi.advanceTimersByTime(9_999);
      expect(sockets).toHaveLength(1 + attempt);
      vi.advanceTimersByTime(1);
      expect(sockets).toHaveLength(2 + attempt);
    }
    last().onclose?.({ code: 1006 });
    expect(states.at(-1)).toEqual({ phase: 'lost', because: 'failed' });
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(5);
  });

  it('StartsCountingAfreshOnceItIsBack', () => {
    const { client, ready, states, last } = setup();
    client.start();
    ready().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(0);
    last().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(10_000);
    ready();
    expect(states.at(-1)).toEqual({ phase: 'open' });
    last().onclose?.({ code: 1006 });
    expect(states.at(-1)).toEqual({ phase: 'retrying', attempt: 0, of: 3 });
  });

  it('EndsAtOnceWhenTheSessionEnded', () => {
    const { client, ready, states, sockets } = setup();
    client.start();
    ready().onclose?.({ code: 4401 });
    vi.advanceTimersByTime(60_000);
    expect(states.at(-1)).toEqual({ phase: 'lost', because: 'sign-in' });
    expect(sockets).toHaveLength(1);
  });

  it('TakesFiveSilentMinutesForALoss', () => {
    const { client, ready, states } = setup();
    client.start();
    const socket = ready();
    vi.advanceTimersByTime(4 * 60_000);
    socket.say({ type: 'keep-alive' });
    vi.advanceTimersByTime(4 * 60_000);
    expect(states.at(-1)).toEqual({ phase: 'open' });
    vi.advanceTimersByTime(60_000);
    expect(states.at(-1)).toMatchObject({ phase: 'retrying' });
    expect(socket.closed).toBe(true);
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
