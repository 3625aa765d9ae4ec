import type { Socket } from 'node:net';
import { closeFrame, type Frame, ServerFrames } from './server-frames';

/**
 * What becomes of a stream. `after` counts bytes of the server, `frames` what it has said; where there is a `from`,
 * from the moment on at which that says so.
 */
export type Fate =
  /** It is not let through. */
  | { end: 'refused' }
  /** It breaks, wherever it stands: in its first answer, in the middle of a frame, or of a character. */
  | { end: 'cut'; after: number; from?: () => boolean }
  /** Nothing of it comes through any more, though it stays open. */
  | { end: 'silence'; after: number; from?: () => boolean }
  /** It ends in good order, with a code that is chosen when it does. */
  | { end: 'close'; frames: number; code: () => number; from?: () => boolean };

/** What a test does to the streams. */
export interface Storm {
  /** Asked for each new stream. */
  fate: () => Fate;
  /** A stream has met its fate. */
  met?: (fate: Fate) => void;
  /** Asked for each new stream: what comes through of its frames, in which order, and what comes again. */
  mix?: () => Mix;
}

/** Takes frames that came together, and answers what the client gets. */
export type Mix = (frames: readonly Frame[]) => readonly Frame[];

/** What the stream tells of itself. */
interface Ends {
  met: () => void;
  /** Its connections are to be closed. */
  end: () => void;
}

/** What the server says on one stream of a storm, until the stream has met its fate. */
export class StormyStream {
  private readonly frames = new ServerFrames();
  private bytes = 0;
  private said = 0;
  private over = false;

  constructor(
    private readonly fate: Fate,
    private readonly client: Socket,
    private readonly mix: Mix,
    private readonly ends: Ends,
  ) {}

  get isRefused(): boolean {
    return this.fate.end === 'refused';
  }

  /** Takes bytes of the server; once the storm is over, all that comes goes through. */
  take(bytes: Buffer, storms: boolean): void {
    if (this.over) return;
    const { head, frames } = this.frames.take(bytes);
    const parts = [...head.map((part) => ({ bytes: part, text: '' })), ...this.mix(frames)];
    for (const part of parts) {
      if (!storms || this.isEarly) this.client.write(part.bytes);
      else if (this.end(part.bytes)) return;
    }
  }

  /** What counts from a certain moment on has not begun. */
  private get isEarly(): boolean {
    return 'from' in this.fate && !this.fate.from();
  }

  /** Answers whether this part was the last one. */
  private end(part: Buffer): boolean {
    const { fate } = this;
    if (fate.end === 'close' && this.said >= fate.frames) {
      this.over = true;
      this.ends.met();
      this.client.write(closeFrame(fate.code()), () => this.client.end());
      return true;
    }
    this.said += 1;
    const room = fate.end === 'cut' || fate.end === 'silence' ? fate.after - this.bytes : part.length;
    this.bytes += part.length;
    if (part.length <= room) {
      this.client.write(part);
      return false;
    }
    this.over = true;
    this.client.write(part.subarray(0, Math.max(0, room)), () => {
      if (fate.end === 'cut') this.ends.end();
      this.ends.met();
    });
    return true;
  }
}
