import { cursorOf, type Position } from './cursor';
import { StreamFollower } from './follower';
import { parseFrame, type ClientFrame } from './frames';
import { afterClose, afterReady, freshRetry, retryLimit, type Retry } from './retry';
import type { ConnectionState, StreamOptions } from './stream-options';

const keepAliveCheck = 5_000;
/** The server sends a keep-alive every 25 s: if two are missing, it is not reachable. */
const keepAliveStale = 55_000;
/** How long a new connection may take until the server is ready, and a ping until a frame arrives. */
const answerTimeout = 20_000;

/**
 * The single socket of this tab: it connects, sends its positions, applies the cursor rules, and reconnects after a
 * loss. It does not interpret the events.
 */
export class StreamClient {
  private readonly options: Required<StreamOptions>;
  private socket: WebSocket | null = null;
  /** A socket with a newer bearer, which replaces the current one once it is open. */
  private next: WebSocket | null = null;
  /** The bearer of the current socket. */
  private bearer: string | null = null;
  /** A newer bearer is being obtained. */
  private awaitsBearer = false;
  private phase: ConnectionState['phase'] = 'closed';
  private readonly follower: StreamFollower;
  private retry: Retry = freshRetry;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private checkTimer: ReturnType<typeof setInterval> | undefined;
  /** When the server last sent a frame, and when it became ready on this socket. */
  private heard = 0;
  private readySince: number | null = null;
  private pinged: number | null = null;
  /** The hello has been sent, so conversations that are followed later need their own subscribe. */
  private greeted = false;
  private stopped = true;

  constructor(options: StreamOptions) {
    this.options = {
      open: (url, protocols) => new WebSocket(url, protocols),
      now: () => Date.now(),
      random: () => Math.random(),
      ...options,
    };
    const line = { send: (frame: ClientFrame) => this.send(frame), greetAgain: () => this.connect() };
    this.follower = new StreamFollower(this.options.handlers, line, options.from);
  }

  /** The position in the person's log. */
  get userSeq(): number {
    return this.follower.userSeq;
  }

  /** Connects. Safe to call twice. */
  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.say({ phase: 'connecting' });
    this.checkTimer = setInterval(this.checkAlive, keepAliveCheck);
    this.connect();
  }

  /** Closes permanently. Safe to call twice. */
  stop(): void {
    if (this.stopped) return;
    this.shut();
    this.say({ phase: 'closed' });
  }

  /** Follows a conversation from the state that the caller has just fetched. */
  follow(conversation: string, at: Position): void {
    this.follower.follow(conversation, at);
    if (this.greeted) this.send({ type: 'subscribe', conversation, at: cursorOf(at) });
  }

  unfollow(conversation: string): void {
    const followed = this.follower.unfollow(conversation);
    if (followed && this.greeted) this.send({ type: 'unsubscribe', conversation });
  }

  /**
   * The page is shown again, the machine woke up, or the browser is online: a pause is ended, and a connection that
   * may be dead is checked.
   */
  wake(): void {
    if (this.stopped || this.awaitsBearer) return;
    if (this.retryTimer !== undefined) {
      this.retryNow();
    } else if (this.isDead()) {
      this.closed(1006);
      this.retryNow();
    } else if (this.readySince !== null) {
      this.pinged ??= this.options.now();
      this.send({ type: 'ping' });
    }
  }

  private retryNow(): void {
    if (this.retryTimer !== undefined) this.connect();
  }

  /**
   * There is a newer bearer: a waiting client connects, and an open socket is replaced by one with the new bearer.
   */
  bearerChanged(): void {
    if (this.stopped) return;
    if (this.awaitsBearer || this.retryTimer !== undefined) this.connect();
    else if (this.readySince !== null && this.options.bearer() !== this.bearer) this.handOver();
  }

  private connect(): void {
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
    this.detach();
    const bearer = this.options.bearer();
    // The browser does not tell a page that its bearer was refused, so an expired one is not tried.
    this.awaitsBearer = bearer === null;
    if (bearer === null) return;
    const socket = this.open(bearer);
    socket.onopen = () => this.hello();
    this.listen(socket, bearer);
  }

  private open(bearer: string): WebSocket {
    return this.options.open(this.options.url, ['parley.v1', `bearer.${bearer}`]);
  }

  /** Makes a socket the current one. */
  private listen(socket: WebSocket, bearer: string): void {
    this.socket = socket;
    this.bearer = bearer;
    this.heard = this.options.now();
    socket.onmessage = (event: MessageEvent<unknown>) => {
      this.heard = this.options.now();
      this.pinged = null;
      const frame = typeof event.data === 'string' ? parseFrame(event.data) : null;
      if (frame?.type === 'session.ready') this.becomeReady();
      else if (frame) this.follower.take(frame);
    };
    socket.onclose = (event: CloseEvent) => this.closed(event.code);
  }

  /**
   * Opens a socket with the newer bearer, and switches to it when it is open: its hello requests what was sent
   * meanwhile. If it cannot be opened, the old one is used until the server closes it.
   */
  private handOver(): void {
    const bearer = this.options.bearer();
    if (bearer === null) return;
    this.dropNext();
    const next = this.open(bearer);
    this.next = next;
    next.onclose = () => this.dropNext();
    next.onopen = () => {
      const { readySince } = this;
      this.next = null;
      this.detach();
      // The connection continues, so its time so far counts.
      this.readySince = readySince;
      this.listen(next, bearer);
      this.hello();
    };
  }

  private dropNext(): void {
    const { next } = this;
    this.next = null;
    if (next) release(next);
  }

  /** Drops the current socket without handling its close event. */
  private detach(): void {
    const { socket } = this;
    this.socket = null;
    this.bearer = null;
    this.greeted = false;
    this.readySince = null;
    this.pinged = null;
    if (socket) release(socket);
    this.dropNext();
  }

  private shut(): void {
    this.stopped = true;
    clearTimeout(this.retryTimer);
    clearInterval(this.checkTimer);
    this.retryTimer = undefined;
    this.awaitsBearer = false;
    this.follower.stop();
    this.detach();
  }

  private hello(): void {
    this.send(this.follower.hello());
    this.greeted = true;
  }

  private send(frame: ClientFrame): void {
    this.socket?.send(JSON.stringify(frame));
  }

  private closed(code: number): void {
    const { bearer, readySince } = this;
    const lived = readySince === null ? 0 : this.options.now() - readySince;
    this.detach();
    if (this.stopped) return;
    const next = afterClose(this.retry, code, lived, this.options.random());
    this.retry = next.retry;
    if (next.kind === 'give-up') {
      this.shut();
      this.say({ phase: 'lost', because: next.because });
      return;
    }
    this.say({ phase: 'retrying', attempt: next.retry.attempts, of: retryLimit });
    if (next.kind === 'connect') {
      this.retryTimer = setTimeout(() => this.connect(), next.after);
      return;
    }
    this.awaitsBearer = true;
    // There may be a newer bearer already, if the server closed the socket before the switch.
    if (this.options.bearer() !== bearer) this.connect();
    else if (bearer !== null) this.options.onBearerEnded(bearer);
  }

  private say(state: ConnectionState): void {
    this.phase = state.phase;
    this.options.handlers.onState(state);
  }

  /** Whether the server has been silent for longer than a reachable server would be. */
  private isDead(): boolean {
    if (this.socket === null) return false;
    const now = this.options.now();
    const limit = this.readySince === null ? answerTimeout : keepAliveStale;
    return now - this.heard >= limit || (this.pinged !== null && now - this.pinged >= answerTimeout);
  }

  private readonly checkAlive = (): void => {
    if (this.isDead()) this.closed(1006);
  };

  private becomeReady(): void {
    this.retry = afterReady(this.retry);
    this.readySince ??= this.options.now();
    // A switch of sockets is not reported.
    if (this.phase !== 'open') this.say({ phase: 'open' });
  }
}

/** Closes a socket without handling its events. */
function release(socket: WebSocket): void {
  socket.onopen = socket.onmessage = socket.onclose = null;
  socket.close();
}
