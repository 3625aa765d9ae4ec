import { nobody } from '@/lib/presence';
import { cursorOf, isCurrent, positionAt, stepDelta, stepEvent, type Position, type Verdict } from './cursor';
import {
  userStream,
  type ClientFrame,
  type EventFrame,
  type ServerFrame,
  type UnknownEventFrame,
} from './frames';
import type { StreamHandlers } from './stream-options';

/** How long a conversation may wait for an answer to a repeated subscribe before it is fetched again. */
const askTimeout = 5_000;

/** What the follower needs of the connection. */
interface Line {
  send: (frame: ClientFrame) => void;
  /** Sends hello again: only that repairs a gap in the person's log. */
  greetAgain: () => void;
}

/**
 * Keeps the tab's position in each stream, independent of the socket: applies the cursor rules, subscribes again at
 * a gap, and passes on new frames. It does not interpret the events.
 */
export class StreamFollower {
  private user: Position;
  private readonly conversations = new Map<string, Position>();
  private readonly askTimeouts = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(
    private readonly handlers: StreamHandlers,
    private readonly line: Line,
    from: number,
  ) {
    this.user = positionAt(from);
  }

  /** The position in the person's log. */
  get userSeq(): number {
    return this.user.seq;
  }

  /** Follows a conversation from the state that the caller has just fetched. */
  follow(conversation: string, at: Position): void {
    this.conversations.set(conversation, at);
    this.clearAskTimeout(conversation);
  }

  /** Returns whether it was followed. */
  unfollow(conversation: string): boolean {
    this.clearAskTimeout(conversation);
    return this.conversations.delete(conversation);
  }

  /** The hello of a new socket: the positions in all streams. It replaces all pending repeated subscribes. */
  hello(): ClientFrame {
    const conversations = Object.fromEntries(
      [...this.conversations].map(([id, position]) => [id, cursorOf(position)]),
    );
    for (const [id, position] of this.conversations) {
      this.clearAskTimeout(id);
      this.conversations.set(id, { ...position, asking: false });
      this.forgetPresence(id);
    }
    return { type: 'hello', cursor: { user: this.user.seq, conversations } };
  }

  /** Stops all waiting. */
  stop(): void {
    for (const conversation of [...this.askTimeouts.keys()]) this.clearAskTimeout(conversation);
  }

  /** Handles a frame of the socket, except the answer to its hello. */
  take(frame: Exclude<ServerFrame, { type: 'session.ready' }>): void {
    const { handlers } = this;
    switch (frame.type) {
      case 'session.resync':
        this.user = positionAt(frame.seq);
        handlers.onResync();
        return;
      case 'reset':
        this.refetch(frame.stream);
        return;
      case 'denied':
        this.clearAskTimeout(frame.stream);
        if (this.conversations.delete(frame.stream)) handlers.onDenied(frame.stream);
        return;
      case 'turn.progress': {
        const position = this.conversations.get(frame.stream);
        if (position && isCurrent(position, frame)) handlers.onProgress(frame.stream, frame.data);
        return;
      }
      case 'presence':
        if (this.conversations.has(frame.conversation)) {
          handlers.onPresence(frame.conversation, { people: frame.people, count: frame.count });
        }
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

  private takeEvent(frame: EventFrame | UnknownEventFrame): void {
    const mine = frame.stream === userStream;
    const position = mine ? this.user : this.conversations.get(frame.stream);
    if (!position) return;
    const step = stepEvent(position, frame);
    if (mine) {
      // The person's log has no subscribe: a gap in it is repaired by a new hello.
      this.user = step.position;
      if (step.verdict.kind === 'apply') {
        if (frame.type !== 'unknown-event') this.handlers.onUserEvent(frame);
      } else if (step.verdict.kind === 'ask') {
        this.line.greetAgain();
      } else if (step.verdict.kind === 'ignore' && step.verdict.why === 'asking') {
        // A new hello did not repair the gap, so the lists must be fetched.
        this.user = positionAt(frame.seq);
        this.handlers.onResync();
      }
      return;
    }
    this.conversations.set(frame.stream, step.position);
    if (step.verdict.kind === 'apply') {
      this.clearAskTimeout(frame.stream);
      if (frame.type !== 'unknown-event') this.handlers.onConversationEvent(frame.stream, frame);
    } else {
      this.settle(frame.stream, step.verdict);
    }
  }

  private settle(conversation: string, verdict: Verdict): void {
    if (verdict.kind === 'append') {
      this.clearAskTimeout(conversation);
      this.handlers.onText(conversation, verdict.message, verdict.text);
    } else if (verdict.kind === 'ask') {
      const position = this.conversations.get(conversation);
      if (!position) return;
      this.line.send({ type: 'subscribe', conversation, at: cursorOf(position) });
      this.forgetPresence(conversation);
      this.askTimeouts.set(
        conversation,
        setTimeout(() => this.refetch(conversation), askTimeout),
      );
    }
  }

  /**
   * After a subscribe the server sends who else has it open, or nothing if no one has: so no one is shown until
   * then.
   */
  private forgetPresence(conversation: string): void {
    this.handlers.onPresence(conversation, nobody);
  }

  private refetch(conversation: string): void {
    this.clearAskTimeout(conversation);
    // Until the caller follows it again, its frames are ignored.
    if (this.conversations.delete(conversation)) this.handlers.onReset(conversation);
  }

  private clearAskTimeout(conversation: string): void {
    clearTimeout(this.askTimeouts.get(conversation));
    this.askTimeouts.delete(conversation);
  }
}
