import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeSocket } from '@/testing/fake-socket';
import { closeLine, openLine } from './line';
import type { StreamHandlers } from './stream-options';

const sockets: FakeSocket[] = [];

beforeEach(() => {
  sockets.length = 0;
  vi.stubGlobal('WebSocket', function open(url: string, protocols: string[]) {
    const socket = new FakeSocket(url, protocols);
    sockets.push(socket);
    return socket;
  });
});

afterEach(() => {
  closeLine();
  vi.unstubAllGlobals();
});

/** Opens a person's connection from a position in their log, and returns the position in its hello. */
function opened(person: string, from: number): unknown {
  const handlers = new Proxy({} as StreamHandlers, { get: () => () => undefined });
  openLine({
    url: `ws://here/${person}/stream`,
    from,
    bearer: () => 'token',
    onBearerEnded: () => undefined,
    handlers,
  });
  const socket = sockets.at(-1)!;
  socket.onopen?.();
  return socket.sent[0];
}

/** The next entry of the log arrives. */
function hear(seq: number): void {
  const entry = { stream: 'user', epoch: 0, generation: 0, at: '2026-11-20T08:00:00Z', data: { id: 'c1' } };
  sockets.at(-1)!.say({ type: 'conversation.updated', seq, ...entry });
}

it('continues when it was closed, so that nothing is heard twice and nothing is missed', () => {
  expect(opened('ada', 7)).toMatchObject({ cursor: { user: 7 } });
  hear(8);
  hear(9);
  closeLine();
  expect(opened('ben', 3)).toMatchObject({ cursor: { user: 3 } });
  expect(opened('ada', 7)).toMatchObject({ cursor: { user: 9 } });
  closeLine();
  // After signing in again the lists are newer.
  expect(opened('ada', 20)).toMatchObject({ cursor: { user: 20 } });
});
