import { inflateSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { guarded } from './door';

type Door = ReturnType<typeof guarded>;
type Envelope = Parameters<Door['send']>[0];

const canary = 'mara@meridian.example';
const recording = `{"segment_id":0}\n${JSON.stringify([
  { type: 3, timestamp: 1, data: { source: 5, id: 1, text: canary } },
])}`;
const hidden = '[{"type":3,"timestamp":1,"data":{"source":5,"id":1,"text":"*********************"}}]';

function setUp() {
  const sent: [unknown, [{ type: string; length?: number }, unknown][]][] = [];
  const door = guarded({
    send: (envelope) => {
      sent.push(envelope);
      return Promise.resolve({ statusCode: 200 });
    },
    flush: () => Promise.resolve(true),
  });
  const send = (...items: [object, unknown][]) => door.send([{ dsn: canary }, items] as unknown as Envelope);
  return { sent, send };
}

/** The two parts of a compressed piece of a replay. */
function unpacked(
  payload: unknown,
  unpack: (body: Uint8Array) => Uint8Array,
): [head: string, events: string] {
  const bytes = Buffer.from(payload as Uint8Array);
  const end = bytes.indexOf(10);
  return [bytes.subarray(0, end).toString(), Buffer.from(unpack(bytes.subarray(end + 1))).toString()];
}

afterEach(() => vi.restoreAllMocks());

it('lets through an error, and nothing for which there is no table', async () => {
  const { sent, send } = setUp();
  const others = ['attachment', 'profile', 'log', 'session', 'span', 'client_report', 'feedback'];
  await send(...others.map((type): [object, unknown] => [{ type }, { text: canary }]), [
    { type: 'event', filename: canary },
    { level: 'error', message: canary },
  ]);
  expect(sent).toEqual([[{}, [[{ type: 'event' }, { level: 'error' }]]]]);
});

it('sends nothing when nothing is left', async () => {
  const { sent, send } = setUp();
  await send([{ type: 'attachment' }, canary]);
  await send([{ type: 'replay_recording' }, new Uint8Array([1])]);
  expect(sent).toEqual([]);
});

it('packs a replay after it has been looked through', async () => {
  const { sent, send } = setUp();
  await send([{ type: 'replay_event' }, { type: 'replay_event' }], [{ type: 'replay_recording' }, recording]);
  const [event, [about, payload]] = sent[0]?.[1] as [unknown, [{ length: number }, Uint8Array]];
  expect(event).toEqual([{ type: 'replay_event' }, { type: 'replay_event' }]);
  expect(about).toEqual({ type: 'replay_recording', length: payload.length });
  expect(unpacked(payload, inflateSync)).toEqual(['{"segment_id":0}', hidden]);
});

it('sends the last piece of a page that is being left at once, as it is', () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const { sent, send } = setUp();
  void send([{ type: 'replay_recording' }, recording]);
  expect(unpacked(sent[0]?.[1][0]?.[1], (body) => body)).toEqual(['{"segment_id":0}', hidden]);
});
