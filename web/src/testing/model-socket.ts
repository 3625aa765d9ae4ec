import type { ClientFrame } from '@/stream/frames';
import type { Random } from './random';

interface Waiting {
  stream: string;
  text: string;
  /** An entry of a log, or a piece of text: it may be repeated at any time. */
  repeatable: boolean;
}

/**
 * A browser's socket whose network the test controls: the server's frames wait until they are delivered, those of a
 * stream in their order and those of different streams in any order; some are repeated.
 */
export class ModelSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  /** The conversations that it is subscribed to, on the server's side. */
  readonly follows = new Set<string>();
  /** Its hello has arrived. */
  greeted = false;
  opened = false;
  closed = false;
  /** The client has received that the server is ready. */
  ready = false;
  /** The number of repeated frames. */
  repeats = 0;
  /** The number of frames that arrived before an earlier one. */
  swaps = 0;
  /** The position in the person's log up to which everything has arrived on this socket. */
  heard: number | null = null;
  private waiting: Waiting[] = [];
  private readonly delivered: string[] = [];

  constructor(
    private readonly random: Random,
    private readonly hear: (frame: ClientFrame) => void,
  ) {}

  /** The client's side. */
  send(text: string): void {
    if (!this.closed) this.hear(JSON.parse(text) as ClientFrame);
  }

  close(): void {
    this.closed = true;
    this.greeted = false;
    this.follows.clear();
    this.waiting = [];
  }

  /** The server's side: sends a frame. */
  push(stream: string, frame: object, repeatable = false): void {
    if (!this.closed) this.waiting.push({ stream, text: JSON.stringify(frame), repeatable });
  }

  /** The network opens it. */
  open(): void {
    if (this.opened || this.closed) return;
    this.opened = true;
    this.onopen?.();
  }

  /** The network breaks it, with all undelivered frames. */
  cut(code: number): void {
    if (this.closed) return;
    this.close();
    this.onclose?.({ code });
  }

  /** The network delivers the next frame of a stream, or repeats a delivered one. Returns whether there was any. */
  deliver(): boolean {
    if (this.closed || !this.opened) return false;
    const again = this.delivered.at(-1 - this.random.below(this.delivered.length));
    if (again !== undefined && this.random.chance(0.2)) {
      this.repeats++;
      this.onmessage?.({ data: again });
      return true;
    }
    const [first] = this.waiting;
    if (!first) return false;
    const { stream } = this.random.pick(this.waiting);
    const at = this.next(stream);
    const [frame = first] = this.waiting.splice(at, 1);
    if (frame.repeatable) this.delivered.push(frame.text);
    this.hold(frame.text);
    this.ready ||= frame.text.includes('"session.ready"');
    this.onmessage?.({ data: frame.text });
    return true;
  }

  /** Follows the position in the person's log without a gap. */
  private hold(text: string): void {
    const { type, stream, seq } = JSON.parse(text) as { type: string; stream?: string; seq?: number };
    if (seq === undefined) return;
    if (type === 'session.ready') this.heard ??= seq;
    else if (type === 'session.resync' || (stream === 'user' && this.heard === seq - 1)) this.heard = seq;
  }

  /**
   * The first waiting frame of a stream; sometimes the second, if both may be repeated: then the client sees a gap.
   */
  private next(stream: string): number {
    const first = this.waiting.findIndex((frame) => frame.stream === stream);
    const second = this.waiting.findIndex((frame, at) => at > first && frame.stream === stream);
    const may = this.waiting[first]?.repeatable === true && this.waiting[second]?.repeatable === true;
    if (!may || !this.random.chance(0.04)) return first;
    this.swaps++;
    return second;
  }

  get isQuiet(): boolean {
    return this.waiting.length === 0;
  }
}
