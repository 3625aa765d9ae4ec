import { beforeAll, expect, inject, test } from 'vitest';

import { read, scriptedAgent, until } from './api';
import { Follower } from './events';
import { stoppedAtTheEnd } from './opened';
import { mara } from './people';
import { Product } from './product';

const opened = stoppedAtTheEnd();

let first: Product;
let second: Product;

beforeAll(async () => {
  first = await opened(Product.start({}, inject('firstData')));
  second = await opened(first.startPeer());
});

test('a socket on one node follows a conversation that the other one owns', async () => {
  // The same bearer is valid on both nodes.
  const token = await first.token(mara);
  const me = (await (await second.call(token, 'GET', 'user/me')).json()) as { uuid: string };
  const analystId = await scriptedAgent(first, token);

  // Eight conversations: each node owns some, no matter which node was asked.
  const ids = await Promise.all(
    Array.from({ length: 8 }, async (_, i) => {
      const node = i % 2 === 0 ? first : second;
      const made = (await (
        await node.call(token, 'POST', 'discourse/conversations', { name: `Shared ${i}` })
      ).json()) as { id: string };
      return made.id;
    }),
  );
  const followers = await Promise.all(
    ids.flatMap((id) =>
      [first, second].map(async (node) => ({ id, follower: await Follower.open(node, token, me.uuid, id) })),
    ),
  );
  for (const [i, id] of ids.entries()) {
    const node = i % 4 < 2 ? first : second;
    const message = { id: crypto.randomUUID(), text: `rate=40 tokens=80 seed=${i}`, analystId };
    const answer = await node.call(token, 'POST', 'discourse/user-text', {
      conversationId: id,
      dataSources: [],
      message,
    });
    expect(answer.status).toBe(200);
  }
  for (const { id, follower } of followers) {
    await until('the end on every node', () => Promise.resolve(follower.end));
    expect(follower.end).toBe('complete');
    const stored = (await read(second, token, id)).messageSet.find((m) => m.role === 'assistant');
    expect(follower.text).toBe(stored?.text);
    follower.close();
  }
  const owners = `${first.output()}${second.output()}`;
  expect(owners).not.toContain('panic');
});

test('the same send on both nodes makes one message, and a stop on the other node stops', async () => {
  const token = await second.token(mara);
  const analystId = await scriptedAgent(first, token);
  const made = (await (
    await first.call(token, 'POST', 'discourse/conversations', { name: 'Once' })
  ).json()) as { id: string };
  const message = { id: crypto.randomUUID(), text: 'rate=20 tokens=20000', analystId };
  const body = { conversationId: made.id, dataSources: [], message };
  const sends = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      (i % 2 === 0 ? first : second).call(token, 'POST', 'discourse/user-text', body),
    ),
  );
  expect(sends.map((answer) => answer.status)).toEqual(sends.map(() => 200));
  await until('some text', async () => {
    const c = await read(first, token, made.id);
    return (c.messageSet.find((m) => m.role === 'assistant')?.text ?? '').length > 20;
  });
  for (const node of [first, second]) {
    const answer = await node.call(token, 'POST', 'analyst/process-control/stop-process-in-redis', {
      conversation_id: made.id,
    });
    expect(answer.status).toBe(200);
  }
  const stopped = await read(second, token, made.id);
  expect(stopped.isStreaming).toBe(false);
  expect(stopped.messageSet.filter((m) => m.role === 'user')).toHaveLength(1);
  expect(stopped.messageSet.find((m) => m.role === 'assistant')?.status).toBe('stopped');
});

test('kill -9 of a node: the other one ends its turns honestly, and its own continue', async () => {
  const token = await first.token(mara);
  const analystId = await scriptedAgent(first, token);
  // Enough conversations that each node owns some, whatever their ids; and long enough answers that they are still
  // streaming when the node stops, however slow the machine is.
  const ids = await Promise.all(
    Array.from({ length: 24 }, async (_, i) => {
      const made = (await (
        await first.call(token, 'POST', 'discourse/conversations', { name: `Killed ${i}` })
      ).json()) as { id: string };
      const message = { id: crypto.randomUUID(), text: `rate=20 tokens=1000 seed=${i}`, analystId };
      await first.call(token, 'POST', 'discourse/user-text', {
        conversationId: made.id,
        dataSources: [],
        message,
      });
      return made.id;
    }),
  );
  const answerOf = async (id: string) =>
    (await read(first, token, id)).messageSet.find((m) => m.role === 'assistant');
  for (const id of ids) await until('some text', async () => ((await answerOf(id))?.text ?? '').length > 20);

  await second.kill();
  const before = await Promise.all(ids.map(answerOf));
  const ends = await until('the orphans to be ended', async () => {
    const now = await Promise.all(ids.map(answerOf));
    return now.some((m) => m?.status === 'interrupted') && now;
  });
  // What was stored is kept, and no other answer was changed.
  for (const [i, m] of ends.entries()) expect(m?.text.startsWith(before[i]?.text ?? 'nothing')).toBe(true);
  const last = await until(
    'the others to end',
    async () => {
      const now = await Promise.all(ids.map(answerOf));
      return now.every((m) => m?.status !== 'streaming') && now;
    },
    300_000,
  );
  const statuses = last.map((m) => m?.status);
  expect(statuses).toContain('interrupted');
  expect(statuses).toContain('complete');
  expect(statuses.filter((s) => s !== 'interrupted' && s !== 'complete')).toEqual([]);
});
