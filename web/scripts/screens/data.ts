import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { read, retailOrders, scriptedAgent, until } from '../../e2e/api';
import { mara, tomas } from '../../e2e/people';
import type { Product } from '../../e2e/product';

/** The data in the pictures: the ids of what was created, by kind. */
export interface World {
  product: Product;
  orders: number;
  upload: number;
  blueprint: number;
  withInputs: number;
  project: number;
  agent: number;
  task: string;
  conversations: Readonly<Record<ConversationName, string>>;
}

const root = path.resolve(import.meta.dirname, '../../..');

/** The question of each conversation, and whether it is about the orders or for the scripted agent. */
const asked = {
  chart: ['orders', 'total net sales by region in 2025'],
  bars: ['orders', 'total net sales by product in 2025'],
  line: ['orders', 'net sales by month in 2025'],
  years: ['orders', 'compare net sales of 2024 and 2025 by region'],
  number: ['orders', 'How many orders were there in 2025?'],
  table: ['orders', 'show the first 10 rows'],
  refused: ['orders', 'What will the weather be tomorrow?'],
  failed: ['script', 'fault=400'],
  stopped: ['script', 'rate=40 tokens=4000 seed=7'],
  running: ['script', 'rate=4 tokens=100000 seed=9 plan=40'],
  long: ['script', 'rate=0 tokens=700 plan=60 summary=80 calls=2 seed=3'],
} as const;

export type ConversationName = keyof typeof asked | 'empty' | 'shared' | 'archived' | 'feedback';

async function json<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  return (text === '' ? {} : JSON.parse(text)) as T;
}

/** Fills a new product with the data for the pictures, over its API. */
export async function prepare(product: Product): Promise<World> {
  const [token, his] = await Promise.all([product.token(mara), product.token(tomas)]);
  const call = async <T>(method: string, where: string, body?: unknown, bearer = token): Promise<T> =>
    json<T>(await product.call(bearer, method, where, body));
  const [orders, script] = await Promise.all([retailOrders(product, token), scriptedAgent(product, token)]);

  const ask = async (
    text: string,
    source: number | undefined,
    bearer = token,
    wait = true,
  ): Promise<string> => {
    const dataSources = source === undefined ? [] : [source];
    const { id } = await call<{ id: string }>(
      'POST',
      'discourse/conversations',
      { name: text, dataSources },
      bearer,
    );
    const message = { text, ...(source === undefined && { analystId: script }) };
    await product.call(bearer, 'POST', 'discourse/user-text', { conversationId: id, dataSources, message });
    if (wait) await until(`the end of ${text}`, async () => !(await read(product, bearer, id)).isStreaming);
    return id;
  };

  const conversations: Partial<Record<ConversationName, string>> = {};
  for (const [name, [whom, text]] of Object.entries(asked)) {
    const goesOn = name === 'stopped' || name === 'running';
    conversations[name as ConversationName] = await ask(
      text,
      whom === 'orders' ? orders : undefined,
      token,
      !goesOn,
    );
  }
  const stopped = conversations.stopped ?? '';
  await until('some text', async () =>
    (await read(product, token, stopped)).messageSet.some(
      (m) => m.role === 'assistant' && m.text.length > 80,
    ),
  );
  await product.call(token, 'POST', 'analyst/process-control/stop-process-in-redis', {
    conversation_id: stopped,
  });
  conversations.empty = (
    await call<{ id: string }>('POST', 'discourse/conversations', { name: 'Nothing asked yet' })
  ).id;
  const archived = await ask('net sales by quarter', orders);
  await call('PATCH', `discourse/conversations/${archived}`, { status: 'archived' });
  conversations.archived = archived;
  await call('PUT', `discourse/conversations/${conversations.chart ?? ''}/favorite`, { isFavorite: true });

  conversations.shared = await ask('orders by product category in 2025', orders, his);
  const { results: who } = await call<{ results: { id: number; type: string; name: string }[] }>(
    'GET',
    'user/shareable-entities',
    undefined,
    his,
  );
  const herself = who.find((one) => one.name === 'Mara Lindqvist')?.id;
  await call(
    'PUT',
    `discourse/conversations/${conversations.shared}/actors`,
    { users: [{ id: herself, permission: 'read' }], teams: [], organizations: [] },
    his,
  );
  conversations.feedback = await ask('return rate by region', orders, his);
  const answer = (await read(product, his, conversations.feedback)).messageSet.find(
    (m) => m.role === 'assistant',
  );
  await call(
    'PUT',
    `discourse/messages/${answer?.id ?? ''}/feedbacks`,
    { label: [12], comment: [{ text: 'The returns of December are missing.' }] },
    his,
  );

  const form = new FormData();
  form.append('name', 'Orchard harvest 2023 to 2025, by site, variety and picking week (corrected)');
  form.append('description', 'Kilos by orchard and week, as the pickers wrote them down.');
  form.append('scope', 'user');
  form.append('type', 'csv');
  const rows = Array.from({ length: 60 }, (_, i) => `Site ${i % 7},${100 + i * 3},2025-0${1 + (i % 9)}-15`);
  form.append('file', new Blob([`orchard,kilos,picked_on\n${rows.join('\n')}\n`]), 'harvest.csv');
  const { id: upload } = await json<{ id: number }>(
    await fetch(`${product.url}/api/v1/memory/file/datasources`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    }),
  );
  await call('PUT', `memory/datasources/${upload}/favorite`, { isFavorite: true });

  const { results: projects } = await call<{ results: { id: number }[] }>('GET', 'discourse/projectlabels');
  const project = projects[0]?.id ?? 0;
  await call('PATCH', `discourse/conversations/${conversations.bars ?? ''}`, { projectLabels: [project] });
  const { results: agents } = await call<{ results: { id: number }[] }>('GET', 'analyst/analysts');
  const own = await call<{ id: number }>('POST', 'discourse/blueprints', {
    name: 'Weekly revenue check',
    description: 'Where the revenue of the week comes from, and what has changed against the week before.',
    dataSources: [orders],
    projectLabels: [project],
    steps: [
      { name: 'Revenue by region', detailedInstructions: 'Net sales by region of the last week.', order: 1 },
      { name: 'What changed', detailedInstructions: 'Compare with the week before.', order: 2 },
    ],
  });
  const { results: blueprints } = await call<{ results: { id: number; inputParameters?: string | null }[] }>(
    'GET',
    'discourse/blueprints?page_size=100',
  );
  const withInputs = blueprints.find(({ inputParameters }) => inputParameters)?.id ?? own.id;
  const schedule = (frequencyType: string, more: object = {}) => ({
    type: 'cron',
    timeZone: 'Europe/Berlin',
    time: '09:30',
    frequencyType,
    ...more,
  });
  const task = async (name: string, when: object): Promise<string> =>
    (
      await call<{ id: string }>('POST', 'discourse/scheduledtasks', {
        name,
        isEnabled: true,
        icebreaker: own.id,
        projectLabels: [project],
        schedule: when,
      })
    ).id;
  const daily = await task('Every morning', schedule('daily'));
  await task('Monday report', schedule('weekly', { dayOfWeek: 1 }));
  await task('Close of the month', schedule('monthly', { dayOfMonth: 1 }));
  await promisify(execFile)('go', ['run', './internal/taskdue', product.database(), daily], { cwd: root });
  await until('the run of the task', async () => {
    const { results } = await call<{ results: { status: string }[] }>(
      'GET',
      `discourse/scheduledtasks/${daily}/runs`,
    );
    return results.some(({ status }) => status === 'complete');
  });

  return {
    product,
    orders,
    upload,
    blueprint: own.id,
    withInputs,
    project,
    agent: agents[0]?.id ?? 1,
    task: daily,
    conversations: conversations as Record<ConversationName, string>,
  };
}
