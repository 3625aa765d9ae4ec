/** A complete websocket frame, and its text. */
export interface Frame {
  bytes: Buffer;
  text: string;
}

/**
 * Splits the bytes of a server into the answer to the upgrade and complete frames (RFC 6455, 5.2), as soon as they
 * are complete. A server does not mask, and Parley's does not compress, so the text of a frame can be read.
 */
export class ServerFrames {
  private rest: Buffer = Buffer.alloc(0);
  private upgraded = false;

  /** Returns what is complete now; the head is returned once. */
  take(bytes: Buffer): { head: Buffer[]; frames: Frame[] } {
    this.rest = Buffer.concat([this.rest, bytes]);
    const head: Buffer[] = [];
    const frames: Frame[] = [];
    if (!this.upgraded) {
      const end = this.rest.indexOf('\r\n\r\n');
      if (end < 0) return { head, frames };
      this.upgraded = true;
      head.push(this.shift(end + 4));
    }
    for (let size = frameSize(this.rest); size <= this.rest.length; size = frameSize(this.rest)) {
      const whole = this.shift(size);
      frames.push({ bytes: whole, text: whole.subarray(bodyStart(whole)).toString('utf8') });
    }
    return { head, frames };
  }

  private shift(size: number): Buffer {
    const first = this.rest.subarray(0, size);
    this.rest = this.rest.subarray(size);
    return first;
  }
}

/** A frame with a text. */
export function textFrame(text: string): Frame {
  const body = Buffer.from(text);
  const size = body.length < 126 ? [body.length] : [126, body.length >> 8, body.length & 0xff];
  return { bytes: Buffer.concat([Buffer.from([0x81, ...size]), body]), text };
}

/** A close frame with a code, as a server closes a connection properly. */
export function closeFrame(code: number): Buffer {
  return Buffer.from([0x88, 2, code >> 8, code & 0xff]);
}

/** The offset of the text: the length is in seven bits, in two bytes, or in eight bytes. */
function bodyStart(frame: Buffer): number {
  const short = (frame[1] ?? 0) & 0x7f;
  return short < 126 ? 2 : short === 126 ? 4 : 10;
}

/** The length of the first frame in bytes; infinity if it is not known yet. */
function frameSize(bytes: Buffer): number {
  const start = bodyStart(bytes);
  if (bytes.length < 2 || bytes.length < start) return Number.POSITIVE_INFINITY;
  if (start === 2) return start + ((bytes[1] ?? 0) & 0x7f);
  return start + (start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)));
}
