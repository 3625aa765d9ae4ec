import type { Product } from './product';

/** The parts of a frame that a follower keeps. */
interface Frame {
  type: string;
  stream?: string;
  message?: string;
  offset?: number;
  text?: string;
  data?: { id?: string; role?: string; status?: string };
}

/**
 * Follows one conversation by server-sent events, as a script would, and assembles the assistant's text by byte
 * offsets. A gap or a repeat is an error.
 */
export class Follower {
  /** The assistant's text so far. */
  text = '';
  /** How the turn ended, once it has. */
  end: string | undefined;
  private bytes = 0;
  private message: string | undefined;
  private readonly abort = new AbortController();
  private failure: Error | undefined;

  /** Opens the stream and returns when the subscription is active. */
  static async open(product: Product, token: string, uuid: string, conversation: string): Promise<Follower> {
    const follower = new Follower();
    const answer = await fetch(`${product.url}/api/v1/user/${uuid}/stream?conversations=${conversation}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      signal: follower.abort.signal,
    });
    if (!answer.ok || answer.body === null) throw new Error(`stream: ${answer.status}`);
    let subscribed: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => (subscribed = resolve));
    void follower.run(answer.body, subscribed);
    await ready;
    return follower;
  }

  /** Ends the stream; throws an error that occurred while following. */
  close(): void {
    this.abort.abort();
    if (this.failure !== undefined) throw this.failure;
  }

  private async run(body: ReadableStream<Uint8Array>, subscribed: () => void): Promise<void> {
    let rest = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        rest += decoder.decode(chunk, { stream: true });
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (!line.startsWith('data:')) continue;
          const frame = JSON.parse(line.slice(5)) as Frame;
          if (frame.type === 'subscribed') subscribed();
          this.take(frame);
        }
      }
    } catch (error) {
      if (!this.abort.signal.aborted) this.failure = error as Error;
    }
  }

  private take(frame: Frame): void {
    if (frame.stream === 'user') return;
    if (frame.type === 'message.created' && frame.data?.role === 'assistant') this.message = frame.data.id;
    if (frame.type === 'conversation.streaming-complete') this.end = frame.data?.status;
    if (frame.type !== 'message.delta' || frame.message !== this.message) return;
    if (frame.offset !== this.bytes) {
      throw new Error(`offset ${frame.offset} while ${this.bytes} bytes are held`);
    }
    this.text += frame.text ?? '';
    this.bytes += Buffer.byteLength(frame.text ?? '');
  }
}
