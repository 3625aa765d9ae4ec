import type { Socket } from 'node:net';
import { closeFrame, type Frame, ServerFrames } from './server-frames';

/**
 * The planned failure of a stream. `after` counts bytes of the server, `frames` its frames; with `from`, counting
 * starts when that returns true.
 */
export type Fate =
  /** The stream is refused. */
  | { end: 'refused' }
  /** It breaks at any position: in its first answer, in the middle of a frame, or of a character. */
  | { end: 'cut'; after: number; from?: () => boolean }
  /** No bytes pass any more, although it stays open. */
  | { end: 'silence'; after: number; from?: () => boolean }
  /** It is closed properly, with a code that is chosen at that moment. */
  | { end: 'close'; frames: number; code: () => number; from?: () => boolean };

/** What a test does to the streams. */
export interface Storm {
  /** Called for each new stream; `pinged` returns whether the browser has sent a ping on it. */
  fate: (pinged: () => boolean) => Fate;
  /** Called when the failure of a stream has happened. */
  met?: (fate: Fate) => void;
  /** Called for each new stream: decides which of its frames pass, in which order, and which are repeated. */
  mix?: () => Mix;
}

/** Takes frames that arrived together, and returns those that the client gets. */
export type Mix = (frames: readonly Frame[]) => readonly Frame[];

/** The notifications of a stream. */
interface Ends {
  met: () => void;
  /** Its connections must be closed. */
  end: () => void;
}

/** The server's data on one stream of a storm, until its failure happens. */
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

  /** Handles bytes of the server; once the storm is over, all bytes pass. */
  take(bytes: Buffer, storms: boolean): void {
    if (this.over) return;
    const { head, frames } = this.frames.take(bytes);
    const parts = [...head.map((part) => ({ bytes: part, text: '' })), ...this.mix(frames)];
    for (const part of parts) {
      if (!storms || this.isEarly) this.client.write(part.bytes);
      else if (this.end(part.bytes)) return;
    }
  }

  /** The moment from which bytes or frames are counted has not come yet. */
  private get isEarly(): boolean {
    return 'from' in this.fate && !this.fate.from();
  }

  /** Returns whether this part was the last one. */
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
