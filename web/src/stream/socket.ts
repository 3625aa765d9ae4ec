import { cursorOf, type Position } from './cursor';
import { StreamFollower } from './follower';
import { parseFrame, type ClientFrame } from './frames';
import { afterClose, afterReady, freshRetry, retryLimit, type Retry } from './retry';
import type { ConnectionState, StreamOptions } from './stream-options';

const keepAliveCheck = 5_000;
/** The server speaks every 25 s: two that did not come mean that it is not there. */
const keepAliveStale = 55_000;
/** How long a new connection may take until the server is ready, and a ping until something comes. */
const answerPatience = 20_000;

/**
 * The one socket of this tab: connects, says what it holds, applies the cursor rules, and comes back
 * after a loss. It knows nothing of what the events mean.
 */
export class StreamClient {
  private readonly options: Required<StreamOptions>;
  private socket: WebSocket | null = null;
  /** A socket with a newer bearer, which takes the other one's place once it is open. */
  private next: WebSocket | null = null;
  /** What the current socket was opened with. */
  private bearer: string | null = null;
  /** A newer bearer is on its way. */
  private awaitsBearer = false;
  private phase: ConnectionState['phase'] = 'closed';
  private readonly follower: StreamFollower;
  private retry: Retry = freshRetry;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private checkTimer: ReturnType<typeof setInterval> | undefined;
  /** When the server last said something, and when it became ready on this socket. */
  private heard = 0;
  private readySince: number | null = null;
  private pinged: number | null = null;
  /** The hello has gone out, so that what is followed later needs its own subscribe. */
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

  /** How far the person's log is held. */
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

  /** Closes for good. Safe to call twice. */
  stop(): void {
    if (this.stopped) return;
    this.shut();
    this.say({ phase: 'closed' });
  }

  /** Follows a conversation from what the caller has just fetched. */
  follow(conversation: string, at: Position): void {
    this.follower.follow(conversation, at);
    if (this.greeted) this.send({ type: 'subscribe', conversation, at: cursorOf(at) });
  }

  unfollow(conversation: string): void {
    const followed = this.follower.unfollow(conversation);
    if (followed && this.greeted) this.send({ type: 'unsubscribe', conversation });
  }

  /**
   * Somebody looks at the page again, the machine woke up, or the browser is online: a pause is over, and a
   * connection that may have died meanwhile is tried.
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

  /** A newer bearer is there: what waited for it goes on, and an open socket hands over to one that has it. */
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
    // The browser does not tell a page that its bearer was refused, so none is tried that has ended.
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
   * Opens a socket with the newer bearer, and goes over to it when it is open: its hello asks for what came
   * meanwhile. If it cannot be opened, the old one lasts until the server ends it.
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
      // It goes on, so what was good so far counts.
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

  /** Lets go of the current socket without hearing its end. */
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
    // It may be that a newer one is held already, and that the server was quicker than the hand-over.
    if (this.options.bearer() !== bearer) this.connect();
    else if (bearer !== null) this.options.onBearerEnded(bearer);
  }

  private say(state: ConnectionState): void {
    this.phase = state.phase;
    this.options.handlers.onState(state);
  }

  /** Whether the server has been silent for longer than one that is there would be. */
  private isDead(): boolean {
    if (this.socket === null) return false;
    const now = this.options.now();
    const patience = this.readySince === null ? answerPatience : keepAliveStale;
    return now - this.heard >= patience || (this.pinged !== null && now - this.pinged >= answerPatience);
  }

  private readonly checkAlive = (): void => {
    if (this.isDead()) this.closed(1006);
  };

  private becomeReady(): void {
    this.retry = afterReady(this.retry);
    this.readySince ??= this.options.now();
    // A hand-over is nothing that anybody has to hear of.
    if (this.phase !== 'open') this.say({ phase: 'open' });
  }
}

/** Closes a socket whose end nobody waits for. */
function release(socket: WebSocket): void {
  socket.onopen = socket.onmessage = socket.onclose = null;
  socket.close();
}
