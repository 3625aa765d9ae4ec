import type { makeFetchTransport } from '@sentry/browser';
import { isFields } from './allow';
import { safeEvent, safeHeader } from './safe-event';
import { safeRecording } from './safe-recording';

type Transport = ReturnType<typeof makeFetchTransport>;
type Envelope = Parameters<Transport['send']>[0];
type Item = [{ type: string; length?: number }, unknown];

/** Compressed by the browser itself, so that no worker is needed and no policy for one; uncompressed if it cannot. */
async function deflated(text: string): Promise<Uint8Array> {
  const plain = new Response(text);
  const packed =
    'CompressionStream' in globalThis && plain.body
      ? new Response(plain.body.pipeThrough(new CompressionStream('deflate')))
      : plain;
  return new Uint8Array(await packed.arrayBuffer());
}

function joined(head: string, body: Uint8Array): Uint8Array {
  const line = new TextEncoder().encode(`${head}\n`);
  const all = new Uint8Array(line.length + body.length);
  all.set(line);
  all.set(body, line.length);
  return all;
}

/** Only items with tables of allowed fields are sent: no attachment, profile, log or session. */
function safeItem(type: unknown, payload: unknown): Item | Promise<Item> | undefined {
  if (type === 'event' || type === 'transaction' || type === 'replay_event')
    return [{ type }, safeEvent(payload)];
  if (type !== 'replay_recording') return undefined;
  const recording = safeRecording(payload);
  if (recording === undefined) return undefined;
  const item = (body: Uint8Array): Item => {
    const whole = joined(recording.head, body);
    return [{ type, length: whole.length }, whole];
  };
  // A page that is being left may have no time for compression: its last piece is sent uncompressed.
  const isLeft = document.visibilityState === 'hidden';
  return isLeft ? item(new TextEncoder().encode(recording.events)) : deflated(recording.events).then(item);
}

/**
 * The only way to the collector: everything that the library sends passes this function last, and only what the
 * tables allow is sent on. The library's own hooks do not cover all of it (the addresses of a replay and the
 * attributes in it), and a missing hook would not be noticed.
 */
export function guarded(transport: Transport): Transport {
  const sendOn = (header: unknown, items: readonly Item[]): ReturnType<Transport['send']> =>
    items.length === 0
      ? Promise.resolve({})
      : transport.send([safeHeader(header), items] as unknown as Envelope);
  return {
    flush: (timeout) => transport.flush(timeout),
    send([header, parts]) {
      const items = (parts as readonly [unknown, unknown][]).flatMap(([about, payload]) => {
        const item = safeItem(isFields(about) ? about['type'] : undefined, payload);
        return item === undefined ? [] : [item];
      });
      // Items without compression are sent at once.
      const ready = items.filter((item): item is Item => !(item instanceof Promise));
      if (ready.length === items.length) return sendOn(header, ready);
      return Promise.all(items.map(async (item) => item)).then((all) => sendOn(header, all));
    },
  };
}
