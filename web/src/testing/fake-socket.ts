import { vi } from 'vitest';
import { StreamClient } from '@/stream/socket';
import type { ConnectionState, StreamHandlers } from '@/stream/stream-options';

/** The other end of a socket, driven by the test. */
export class FakeSocket {
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
  /** The bearer of the sign-in; the test may change it. */
  signIn: { bearer: string | null; ended: string[] };
  last: () => FakeSocket;
  /** Opens the newest socket and makes it ready. */
  ready: (seq?: number) => FakeSocket;
}

/** A stream client on fake sockets, with timers that the test controls. */
export function streamSetup(): Bundle {
  const sockets: FakeSocket[] = [];
  const states: ConnectionState[] = [];
  const handlers = {
    onUserEvent: vi.fn(),
    onConversationEvent: vi.fn(),
    onText: vi.fn(),
    onProgress: vi.fn(),
    onPresence: vi.fn(),
    onReset: vi.fn(),
    onDenied: vi.fn(),
    onResync: vi.fn(),
    onState: vi.fn((state: ConnectionState) => void states.push(state)),
  };
  const signIn: Bundle['signIn'] = { bearer: 'token', ended: [] };
  const client = new StreamClient({
    url: 'ws://here/stream',
    from: 100,
    bearer: () => signIn.bearer,
    onBearerEnded: (bearer) => void signIn.ended.push(bearer),
    random: () => 0.5,
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
  return { client, sockets, states, handlers, signIn, last, ready };
}
