import { cursorOf, positionAt, stepDelta, stepEvent, type Position, type Verdict } from './cursor';
import {
  parseFrame,
  userStream,
  type ClientFrame,
  type EventFrame,
  type ServerFrame,
  type UnknownEventFrame,
} from './frames';
import { afterClose, freshRetry, retryLimit, type Retry } from './retry';
import type { StreamOptions } from './stream-options';

const keepAliveCheck = 60_000;
const keepAliveStale = 5 * 60_000;
/** How long a conversation may wait for an answer to "asked again" before it is fetched anew. */
const askPatience = 5_000;

/**
 * The one socket of this tab: connects, says what it holds, applies the cursor rules, and comes back
 * after a loss. It knows nothing of what the events mean.
 */
export class StreamClient {
  private readonly options: Required<StreamOptions>;
  private socket: WebSocket | null = null;
  private user: Position | null = null;
  private readonly conversations = new Map<string, Position>();
  private readonly patience = new Map<string, ReturnType<typeof setTimeout>>();
  private retry: Retry = freshRetry;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private checkTimer: ReturnType<typeof setInterval> | undefined;
  private heard = 0;
  /** The hello has gone out, so that what is followed later needs its own subscribe. */
  private greeted = false;
  private stopped = true;

  constructor(options: StreamOptions) {
    this.options = {
      open: (url, protocols) => new WebSocket(url, protocols),
      now: () => Date.now(),
      ...options,
    };
  }

  /** Connects. Safe to call twice. */
  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.options.handlers.onState({ phase: 'connecting' });
    this.checkTimer = setInterval(this.checkAlive, keepAliveCheck);
    this.connect();
  }

  /** Closes for good. Safe to call twice. */
  stop(): void {
    if (this.stopped) return;
    this.shut();
    this.options.handlers.onState({ phase: 'closed' });
  }

  /** Follows a conversation from what the caller has just fetched. */
  follow(conversation: string, at: Position): void {
    this.conversations.set(conversation, at);
    this.endPatience(conversation);
    if (this.greeted) this.send({ type: 'subscribe', conversation, at: cursorOf(at) });
  }

  unfollow(conversation: string): void {
    this.endPatience(conversation);
    if (this.conversations.delete(conversation) && this.greeted) {
      this.send({ type: 'unsubscribe', conversation });
    }
  }

  /** Tries now instead of after the pause, for example when the browser is online again. */
  retryNow(): void {
    if (this.stopped || this.retryTimer === undefined) return;
    this.connect();
  }

  private connect(): void {
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
    this.detach();
    this.heard = this.options.now();
    const socket = this.options.open(this.options.url, ['parley.v1', `bearer.${this.options.bearer()}`]);
    this.socket = socket;
    socket.onopen = () => this.hello();
    socket.onmessage = (event: MessageEvent<unknown>) => {
      this.heard = this.options.now();
      const frame = typeof event.data === 'string' ? parseFrame(event.data) : null;
      if (frame) this.take(frame);
    };
    socket.onclose = (event: CloseEvent) => this.closed(event.code);
  }

  /** Lets go of the current socket without hearing its end. */
  private detach(): void {
    const socket = this.socket;
    this.socket = null;
    this.greeted = false;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private shut(): void {
    this.stopped = true;
    clearTimeout(this.retryTimer);
    clearInterval(this.checkTimer);
    this.retryTimer = undefined;
    for (const conversation of [...this.patience.keys()]) this.endPatience(conversation);
    this.detach();
  }

  private hello(): void {
    const conversations = Object.fromEntries(
      [...this.conversations].map(([id, position]) => [id, cursorOf(position)]),
    );
    this.send({ type: 'hello', cursor: { ...(this.user && { user: this.user.seq }), conversations } });
    this.greeted = true;
    // What was asked again before is asked by this hello.
    for (const [id, position] of this.conversations) {
      this.endPatience(id);
      this.conversations.set(id, { ...position, asking: false });
    }
  }

  private send(frame: ClientFrame): void {
    this.socket?.send(JSON.stringify(frame));
  }

  private closed(code: number): void {
    this.detach();
    if (this.stopped) return;
    const next = afterClose(this.retry, code);
    this.retry = next.retry;
    if (next.kind === 'give-up') {
      this.shut();
      this.options.handlers.onState({ phase: 'lost', because: next.because });
      return;
    }
    this.options.handlers.onState({ phase: 'retrying', attempt: next.retry.attempts, of: retryLimit });
    this.retryTimer = setTimeout(() => this.connect(), next.after);
  }

  private readonly checkAlive = (): void => {
    if (this.retryTimer !== undefined || this.options.now() - this.heard < keepAliveStale) return;
    this.closed(1006);
  };

  private take(frame: ServerFrame): void {
    const { handlers } = this.options;
    switch (frame.type) {
      case 'session.ready':
        this.becomeReady(frame.seq);
        return;
      case 'session.resync':
        this.user = positionAt(frame.seq);
        handlers.onResync();
        return;
      case 'reset':
        this.refetch(frame.stream);
        return;
      case 'denied':
        this.endPatience(frame.stream);
        if (this.conversations.delete(frame.stream)) handlers.onDenied(frame.stream);
        return;
      case 'turn.progress':
        if (this.conversations.has(frame.stream)) handlers.onProgress(frame.stream, frame.data);
        return;
      case 'subscribed':
      case 'keep-alive':
        return;
      case 'message.delta': {
        const position = this.conversations.get(frame.stream);
        if (!position) return;
        const step = stepDelta(position, frame);
        this.conversations.set(frame.stream, step.position);
        this.settle(frame.stream, step.verdict);
        return;
      }
      default:
        this.takeEvent(frame);
    }
  }

  private becomeReady(head: number): void {
    this.retry = freshRetry;
    this.user ??= positionAt(head);
    this.options.handlers.onState({ phase: 'open' });
  }

  private takeEvent(frame: EventFrame | UnknownEventFrame): void {
    const mine = frame.stream === userStream;
    const position = mine ? this.user : this.conversations.get(frame.stream);
    if (!position) return;
    const step = stepEvent(position, frame);
    if (mine) {
      // The person's log has no subscribe: a gap in it is mended by a new hello.
      this.user = step.position;
      if (step.verdict.kind === 'apply') {
        if (frame.type !== 'unknown-event') this.options.handlers.onUserEvent(frame);
      } else if (step.verdict.kind === 'ask') {
        this.connect();
      } else if (step.verdict.kind === 'ignore' && step.verdict.why === 'asking') {
        // A new hello did not mend the gap, so the lists themselves have to.
        this.user = positionAt(frame.seq);
        this.options.handlers.onResync();
      }
      return;
    }
    this.conversations.set(frame.stream, step.position);
    if (step.verdict.kind === 'apply') {
      this.endPatience(frame.stream);
      if (frame.type !== 'unknown-event') this.options.handlers.onConversationEvent(frame.stream, frame);
    } else {
      this.settle(frame.stream, step.verdict);
    }
  }

  private settle(conversation: string, verdict: Verdict): void {
    if (verdict.kind === 'append') {
      this.endPatience(conversation);
      this.options.handlers.onText(conversation, verdict.message, verdict.text);
    } else if (verdict.kind === 'ask') {
      const position = this.conversations.get(conversation);
      if (!position) return;
      this.send({ type: 'subscribe', conversation, at: cursorOf(position) });
      this.patience.set(
        conversation,
        setTimeout(() => this.refetch(conversation), askPatience),
      );
    }
  }

  private refetch(conversation: string): void {
    this.endPatience(conversation);
    // Until the caller follows it anew nothing of it is applied.
    if (this.conversations.delete(conversation)) this.options.handlers.onReset(conversation);
  }

  private endPatience(conversation: string): void {
    clearTimeout(this.patience.get(conversation));
    this.patience.delete(conversation);
  }
}
