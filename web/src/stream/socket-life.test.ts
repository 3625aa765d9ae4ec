import { beforeEach, describe, expect, it, vi } from 'vitest';
import { streamSetup as setup } from '@/testing/fake-socket';
import { positionAt } from './cursor';

const event = (seq: number): object => ({
  type: 'conversation.updated',
  stream: 'c',
  seq,
  epoch: 1,
  generation: 0,
  data: {},
});

/** A server that is alive sends a frame every 25 s. */
function live(socket: { say: (frame: object) => void }, ms: number): void {
  for (let passed = 0; passed < ms; passed += 25_000) {
    vi.advanceTimersByTime(Math.min(25_000, ms - passed));
    socket.say({ type: 'keep-alive' });
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});

describe('a connection that is lost', () => {
  it('ComesBackWithTheCursorItHas', () => {
    const { client, ready, sockets, handlers } = setup();
    client.follow('c', positionAt(5));
    client.start();
    const first = ready(100);
    first.say({ type: 'conversation.updated', stream: 'user', seq: 101, data: { id: 'c' } });
    first.say(event(6));
    first.onclose?.({ code: 4503 });
    vi.advanceTimersByTime(1_000);
    expect(sockets).toHaveLength(2);
    sockets[1]!.onopen?.();
    expect(sockets[1]!.sent[0]).toMatchObject({ cursor: { user: 101, conversations: { c: { seq: 6 } } } });
    expect(handlers.onUserEvent).toHaveBeenCalledTimes(1);
  });

  it('TriesThreeTimesTenSecondsApart, then gives up', () => {
    const { client, ready, sockets, states, last } = setup();
    client.start();
    ready().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(1_000);
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
    vi.advanceTimersByTime(1_000);
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

  it('WaitsLongerEachTime when it is lost soon after it was there', () => {
    const { client, ready, sockets, states } = setup();
    client.start();
    for (const pause of [1_000, 3_000, 6_000, 11_000, 11_000]) {
      const count = sockets.length;
      ready().onclose?.({ code: 4408 });
      vi.advanceTimersByTime(pause - 1);
      expect(sockets).toHaveLength(count);
      vi.advanceTimersByTime(1);
      expect(sockets).toHaveLength(count + 1);
    }
    // It reconnected each time, so the session is not ended.
    expect(states.some((state) => state.phase === 'lost')).toBe(false);
    live(ready(), 30_000);
    sockets.at(-1)!.onclose?.({ code: 4408 });
    vi.advanceTimersByTime(1_000);
    expect(sockets).toHaveLength(7);
  });

  it('IsTakenForLostAfterTwoKeepAlivesThatDidNotCome', () => {
    const { client, ready, states, sockets } = setup();
    client.start();
    const socket = ready();
    live(socket, 100_000);
    vi.advanceTimersByTime(54_000);
    expect(states.at(-1)).toEqual({ phase: 'open' });
    vi.advanceTimersByTime(6_000);
    expect(states.at(-1)).toEqual({ phase: 'retrying', attempt: 0, of: 3 });
    expect(socket.closed).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(sockets).toHaveLength(2);
  });

  it('IsTakenForLostWhereTheServerIsNotReadyInTime', () => {
    const { client, sockets, states } = setup();
    client.start();
    vi.advanceTimersByTime(20_000);
    expect(sockets[0]!.closed).toBe(true);
    expect(states.at(-1)).toMatchObject({ phase: 'retrying' });
  });
});

describe('wake', () => {
  it('EndsAPause', () => {
    const { client, ready, sockets, last } = setup();
    client.start();
    ready().onclose?.({ code: 1006 });
    client.wake();
    expect(sockets).toHaveLength(2);
    last().onclose?.({ code: 1006 });
    client.wake();
    expect(sockets).toHaveLength(3);
  });

  it('ReconnectsAtOnceAfterASleep', () => {
    const { client, ready, sockets } = setup();
    client.start();
    ready();
    vi.setSystemTime(Date.now() + 3_600_000);
    client.wake();
    expect(sockets).toHaveLength(2);
  });

  it('AsksALivingLine, and reconnects when nothing answers', () => {
    const { client, ready, sockets } = setup();
    client.start();
    const first = ready();
    client.wake();
    expect(first.sent.at(-1)).toEqual({ type: 'ping' });
    first.say({ type: 'keep-alive' });
    vi.advanceTimersByTime(25_000);
    expect(sockets).toHaveLength(1);
    client.wake();
    vi.advanceTimersByTime(21_000);
    expect(sockets).toHaveLength(2);
  });
});

describe('a bearer', () => {
  it('IsHandedOverToASocketOfItsOwn, without anybody noticing', () => {
    const { client, ready, sockets, states, signIn, handlers } = setup();
    client.follow('c', positionAt(5, 0, 1));
    client.start();
    const first = ready(100);
    signIn.bearer = 'newer';
    client.bearerChanged();
    const second = sockets[1]!;
    expect(second.protocols).toEqual(['parley.v1', 'bearer.newer']);
    // Until it is open, the old one is used.
    expect(first.closed).toBe(false);
    first.say(event(6));
    second.onopen?.();
    expect(first.closed).toBe(true);
    expect(second.sent[0]).toMatchObject({ cursor: { user: 100, conversations: { c: { seq: 6 } } } });
    second.say({ type: 'session.ready', seq: 100 });
    second.say(event(6));
    second.say(event(7));
    expect(handlers.onConversationEvent.mock.calls.map((call) => (call[1] as { seq: number }).seq)).toEqual([
      6, 7,
    ]);
    expect(states.map(({ phase }) => phase)).toEqual(['connecting', 'open']);
  });

  it('StaysWithTheOldSocketWhereTheNewOneCannotBeOpened', () => {
    const { client, ready, sockets, states, signIn } = setup();
    client.start();
    const first = ready();
    signIn.bearer = 'newer';
    client.bearerChanged();
    sockets[1]!.onclose?.({ code: 1006 });
    expect(first.closed).toBe(false);
    expect(states.at(-1)).toEqual({ phase: 'open' });
    first.onclose?.({ code: 4402 });
    expect(sockets[2]!.protocols[1]).toBe('bearer.newer');
  });

  it('IsWaitedForWhereItEnded, and the cursor comes with the newer one', () => {
    const { client, ready, sockets, states, signIn } = setup();
    client.follow('c', positionAt(5, 0, 1));
    client.start();
    const first = ready(100);
    first.say(event(6));
    first.onclose?.({ code: 4402 });
    expect(signIn.ended).toEqual(['token']);
    vi.advanceTimersByTime(120_000);
    expect(sockets).toHaveLength(1);
    signIn.bearer = 'newer';
    client.bearerChanged();
    const second = ready(100);
    expect(second.protocols[1]).toBe('bearer.newer');
    expect(second.sent[0]).toMatchObject({ cursor: { user: 100, conversations: { c: { seq: 6 } } } });
    expect(states.at(-1)).toEqual({ phase: 'open' });
  });

  it('ThatHasEndedIsNotTried, as after a sleep', () => {
    const { client, ready, sockets, signIn } = setup();
    client.start();
    ready();
    signIn.bearer = null;
    vi.setSystemTime(Date.now() + 9 * 3_600_000);
    client.wake();
    vi.advanceTimersByTime(120_000);
    expect(sockets).toHaveLength(1);
    signIn.bearer = 'newer';
    client.bearerChanged();
    expect(sockets[1]!.protocols[1]).toBe('bearer.newer');
  });

  it('EndsAPause when it is there', () => {
    const { client, ready, sockets, signIn } = setup();
    client.start();
    ready().onclose?.({ code: 1011 });
    signIn.bearer = 'newer';
    client.bearerChanged();
    expect(sockets).toHaveLength(2);
  });
});
