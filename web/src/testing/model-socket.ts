import type { ClientFrame } from '@/stream/frames';
import type { Random } from './random';

interface Waiting {
  stream: string;
  text: string;
  /** An entry of a log, or a piece of text: may come again at any time. */
  repeatable: boolean;
}

/**
 * A browser's socket whose network the test moves: what the server says waits until it is delivered, each stream's
 * frames in their order and those of different streams in any; some come again.
 */
export class ModelSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  /** The conversations that it is subscribed to, on the server's side. */
  readonly follows = new Set<string>();
  /** Its hello has come. */
  greeted = false;
  opened = false;
  closed = false;
  /** The client has heard that the server is ready. */
  ready = false;
  /** Frames that came again. */
  repeats = 0;
  private waiting: Waiting[] = [];
  private readonly delivered: string[] = [];

  constructor(
    private readonly random: Random,
    private readonly hear: (frame: ClientFrame) => void,
  ) {}

  /** The client's end. */
  send(text: string): void {
    if (!this.closed) this.hear(JSON.parse(text) as ClientFrame);
  }

  close(): void {
    this.closed = true;
    this.greeted = false;
    this.follows.clear();
    this.waiting = [];
  }

  /** The server's end: says something. */
  push(stream: string, frame: object, repeatable = false): void {
    if (!this.closed) this.waiting.push({ stream, text: JSON.stringify(frame), repeatable });
  }

  /** The network opens it. */
  open(): void {
    if (this.opened || this.closed) return;
    this.opened = true;
    this.onopen?.();
  }

  /** The network breaks it, with all that was on its way. */
  cut(code: number): void {
    if (this.closed) return;
    this.close();
    this.onclose?.({ code });
  }

  /** The network brings the next frame of a stream, or again one that was brought. Answers whether there was any. */
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
    const at = this.waiting.findIndex((frame) => frame.stream === stream);
    const [frame = first] = this.waiting.splice(at, 1);
    if (frame.repeatable) this.delivered.push(frame.text);
    this.ready ||= frame.text.includes('"session.ready"');
    this.onmessage?.({ data: frame.text });
    return true;
  }

  get isQuiet(): boolean {
    return this.waiting.length === 0;
  }
}
