import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateSync } from 'node:zlib';

/** Anything that was sent as JSON. */
export type Json = Record<string, unknown>;

/** One part of an envelope: its type and its content. */
export interface Item {
  type: string;
  payload: Json;
  /** The events of a `replay_recording`, else empty. */
  recording: RecordingEvent[];
}

/** An event of a recording, as rrweb writes them. */
export interface RecordingEvent {
  type: number;
  timestamp: number;
  data: Json;
}

/** Parses the parts of an envelope: its own header line, then for each part a header line and the content. */
function parse(body: Buffer): { items: Item[]; plain: string } {
  const items: Item[] = [];
  let plain = '';
  let at = 0;
  const line = (): string => {
    const found = body.indexOf(10, at);
    const end = found < 0 ? body.length : found;
    const text = body.subarray(at, end).toString();
    at = end + 1;
    plain += `${text}\n`;
    return text;
  };
  line();
  while (at < body.length) {
    const { type, length } = JSON.parse(line()) as { type: string; length?: number };
    if (type !== 'replay_recording' || length === undefined) {
      items.push({ type, payload: JSON.parse(line()) as Json, recording: [] });
      continue;
    }
    const end = at + length;
    const payload = JSON.parse(line()) as Json;
    const packed = body.subarray(at, end);
    const events = (packed[0] === 0x5b ? packed : inflateSync(packed)).toString();
    plain += `${events}\n`;
    items.push({ type, payload, recording: JSON.parse(events) as RecordingEvent[] });
    at = end + 1;
  }
  return { items, plain };
}

/** A collector that speaks the protocol of Sentry's envelopes and keeps everything that it receives. */
export class Collector {
  /** The received parts, in order. */
  readonly items: Item[] = [];
  /**
   * All received data as text, decompressed, with addresses and headers: what an operator of the collector could
   * read.
   */
  text = '';
  /** The errors of parsing it. */
  readonly failures: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Collector> {
    const server = createServer();
    const collector = new Collector(server);
    server.on('request', (request, answer) => {
      void collector.take(request).then(() => {
        answer.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'application/json' });
        answer.end('{}');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  /** The setting for an operator. */
  get dsn(): string {
    return `http://0123abcd@127.0.0.1:${(this.server.address() as AddressInfo).port}/7`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** The received parts of a type. */
  of(type: string): Json[] {
    return this.items.filter((item) => item.type === type).map(({ payload }) => payload);
  }

  /** All events of recordings, in order. */
  recorded(): RecordingEvent[] {
    return this.items.flatMap(({ recording }) => recording);
  }

  private async take(request: IncomingMessage): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    try {
      const { items, plain } = parse(Buffer.concat(parts));
      this.text += `${request.url ?? ''}\n${JSON.stringify(request.headers)}\n${plain}`;
      this.items.push(...items);
    } catch (error) {
      this.failures.push(String(error));
    }
  }
}
