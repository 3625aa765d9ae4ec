import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { read, retailOrders, scriptedAgent, until } from './api';
import { answers, signIn } from './browser';
import { MainThread, type Work } from './main-thread';
import { mara } from './people';
import { onStage } from './stage';

/** The number of messages of the long conversation. */
const many = 10_000;

const stage = onStage();
let token: string;

beforeAll(async () => {
  token = await stage.product.token(mara);
});

function report(what: string, figures: object): void {
  const load = loadavg()[0]?.toFixed(1);
  process.stdout.write(`${what} (load ${load}): ${JSON.stringify(figures)}\n`);
}

/** What became of each aim, for the end of the run. */
const verdicts: string[] = [];

/**
 * Compares a figure with its aim, and says which it was. An aim that is missed makes the run fail, with exit code 1, but
 * what is still to be measured is measured.
 */
function aim(what: string, figure: number, most: number, unit: string): void {
  const verdict = `${figure <= most ? 'met   ' : 'MISSED'} ${what}: ${figure} ${unit}, at most ${most}`;
  verdicts.push(verdict);
  expect.soft(figure, verdict).toBeLessThanOrEqual(most);
}

afterAll(() => {
  process.stdout.write(`\nAims:\n${verdicts.join('\n')}\n`);
});

async function create(name: string): Promise<string> {
  const made = await stage.product.call(token, 'POST', 'discourse/conversations', { name });
  return ((await made.json()) as { id: string }).id;
}

async function ask(id: string, text: string, rest: object): Promise<void> {
  const body = { conversationId: id, dataSources: [], ...rest };
  const message = { id: crypto.randomUUID(), text, ...('message' in rest ? (rest.message as object) : {}) };
  const answer = await stage.product.call(token, 'POST', 'discourse/user-text', { ...body, message });
  expect(answer.status).toBe(200);
}

/** The fields of a message in which its copies differ. */
interface Copied {
  id: string;
  seq: number;
  turnId: string | null;
}

/**
 * Answers the conversation's call with ten thousand messages, in the pages that are asked for: copies of a few real
 * turns. Further requests, for objects and the stream, are answered by the server.
 */
async function lengthen(page: Page, id: string): Promise<void> {
  const answer = await stage.product.call(token, 'GET', `discourse/conversations/${id}`);
  const real = (await answer.json()) as { messageSet: Copied[]; head: number };
  const set = real.messageSet;
  const all = Array.from({ length: many }, (_, n): Copied => {
    const from = set[(n + set.length - (many % set.length)) % set.length];
    if (!from) throw new Error('nothing to copy');
    const round = String(Math.floor((n + set.length - (many % set.length)) / set.length)).padStart(12, '0');
    const turnId = from.turnId && `${from.turnId.slice(0, 24)}${round}`;
    return { ...from, id: `${from.id.slice(0, 24)}${round}`, turnId, seq: n + 1 };
  });
  await page.route(`**/discourse/conversations/${id}?*`, async (route) => {
    const { searchParams } = new URL(route.request().url());
    const before = Number(searchParams.get('messages_before') ?? many + 1);
    const messageSet = all.slice(0, before - 1).slice(-Number(searchParams.get('message_page_size')));
    const first = messageSet[0]?.seq ?? 1;
    await route.fulfill({
      json: { ...real, messageSet, ...(first > 1 && { earlierMessages: first }) },
    });
  });
}

test('a conversation of 10,000 messages: opening it, and a fling to its first message', async () => {
  const orders = await retailOrders(stage.product, token);
  const [long, short] = [await create('The long one'), await create('A short one')];
  for (const question of ['net sales by region', 'orders by month', 'top 5 products by net sales']) {
    await ask(long, question, { dataSources: [orders] });
    await until('its answer', async () => !(await read(stage.product, token, long)).isStreaming);
  }
  const { page } = await stage.sit();
  await lengthen(page, long);
  await signIn(page, mara);
  const thread = await MainThread.of(page);
  const row = (name: string) => page.getByRole('link').filter({ hasText: name }).first();
  const rest = () => page.waitForTimeout(1_000);
  for (const time of ['first', 'second', 'third']) {
    await page.goto(`/conversations/${short}`);
    await row('The long one').waitFor();
    await rest();
    const opening = await thread.work(async () => {
      await row('The long one').click();
      await page.locator('article[data-role="assistant"]').last().waitFor();
      await rest();
    });
    report(`opening 10,000 messages, ${time} time`, opening);
    aim(`opening 10,000 messages, ${time} time`, opening.script, 300, 'ms of scripting');
  }

  const list = page.locator('[data-virtuoso-scroller]');
  await list.hover();
  const held = () => page.locator('[data-index]').first().getAttribute('data-item-index');
  const start = await held();
  for (const [what, by, steps] of [
    ['wheel', -120, 300],
    ['fling', -3_000, 600],
  ] as const) {
    const work: Work[] = [];
    const tasks = await thread.tasks(async () => {
      const done = await thread.work(async () => {
        for (let step = 0; step < steps; step += 1) {
          await page.mouse.wheel(0, by);
          await page.waitForTimeout(16);
        }
      });
      work.push(done);
    });
    const to = await held();
    report(what, { ...tasks, ...work[0], from: start, to });
    // The figures of a list that did not move would mean nothing.
    expect(Number(to), `${what} from ${start}`).toBeLessThan(Number(start));
    aim(`longest task of ${what}`, tasks.longestOwn, 100, 'ms of own time');
  }
  report('memory', await thread.memory());
});

test('fifty answers at 20 tokens a second each on one client', async () => {
  const analystId = await scriptedAgent(stage.product, token);
  const ids: string[] = [];
  for (let n = 0; n < 50; n += 1) ids.push(await create(`Stream ${n}`));
  const { page } = await stage.signedIn(mara);
  const thread = await MainThread.of(page);
  for (const id of ids) await ask(id, 'rate=20 tokens=20000', { message: { analystId } });
  await page.goto(`/conversations/${ids[0] ?? ''}`);
  await until('text', async () => ((await answers(page))[0] ?? '').length > 500);
  const work: Work[] = [];
  const tasks = await thread.tasks(async () => {
    work.push(await thread.work(() => page.waitForTimeout(20_000)));
  });
  report('50 streams', { ...tasks, ...work[0] });
  const [{ task, passed }] = work as [Work];
  aim('main thread with 50 streams', Math.round((100 * task) / passed), 50, '% of the time');
  const stop = (id: string) =>
    stage.product.call(token, 'POST', 'analyst/process-control/stop-process-in-redis', {
      conversation_id: id,
    });
  await Promise.all(ids.map(stop));
});

/**
 * Keeps a conversation running until a time (ms): each question is asked as soon as the answer before it has ended.
 */
async function stream(
  id: string,
  analystId: number,
  rate: number,
  end: number,
  ended: () => void,
): Promise<void> {
  for (let answered = 0; Date.now() < end; answered += 1) {
    // A bearer may expire during the longest run: it is requested each time; `parley token` caches it.
    token = await stage.product.token(mara);
    await ask(id, `rate=${rate} tokens=2000 seed=${answered}`, { message: { analystId } });
    await until('its end', async () => {
      await wait(1_000);
      const answer = await stage.product.call(
        token,
        'GET',
        `discourse/conversations/${id}?message_page_size=1`,
      );
      expect(answer.status).toBe(200);
      return !((await answer.json()) as { isStreaming: boolean }).isStreaming;
    });
    ended();
  }
}

// An hour with 20 tokens a second is 72,000 tokens: 36 answers, at twenty times the rate unless an hour is given.
const minutes = Number(process.env['PARLEY_MEASURE_MINUTES'] ?? 3);

test(
  `the memory of an hour of streaming, in ${minutes} minutes`,
  { timeout: (minutes + 20) * 60_000 },
  async () => {
    const analystId = await scriptedAgent(stage.product, token);
    const rate = Math.round(1_200 / minutes);
    const watched = await create('An hour');
    const others: string[] = [];
    for (let n = 1; n <= 5; n += 1) others.push(await create(`Beside it ${n}`));
    const { context, page } = await stage.signedIn(mara);
    const thread = await MainThread.of(page);
    await page.goto(`/conversations/${watched}`);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await wait(15_000);
    const started = Date.now();
    const all = [watched, ...others];
    const answered = all.map(() => 0);
    const tell = async (what: string): Promise<number> => {
      const passed = Math.round((Date.now() - started) / 6_000) / 10;
      const memory = await thread.memory();
      report(`memory, ${what}`, { minutes: passed, answered: answered.join(), ...memory });
      return memory.heap;
    };
    const before = await tell('at the start');
    let most = before;
    const end = started + minutes * 60_000;
    const streams = Promise.all(
      all.map((id, place) =>
        stream(id, analystId, rate, end, () => {
          answered[place] = (answered[place] ?? 0) + 1;
        }),
      ),
    );
    for (let part = 1; part <= 6; part += 1) {
      // If a stream breaks off, the measurement stops, too: figures of an idle page mean nothing.
      await Promise.race([streams, wait(started + (minutes * part * 60_000) / 6 - Date.now())]);
      most = Math.max(most, await tell(`after ${part} of 6 parts`));
    }
    await streams;
    await until('the last answer', async () => (await answers(page)).length > 0);
    most = Math.max(most, await tell('when the last answers have ended'));
    // A page that receives nothing keeps nothing.
    expect(Math.min(...answered), answered.join()).toBeGreaterThan(0);
    aim(
      'memory of an hour of streaming',
      Math.round(10 * (most - before)) / 10,
      50,
      'MB more than at the start',
    );
    await context.close();
  },
);
