import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { read, scriptedAgent, until } from './api';
import { send, signIn } from './browser';
import { mara } from './people';
import { onStage } from './stage';

/** Prompts, each with its answer: more messages than on two pages. */
const prompts = 110;

const stage = onStage();
let token: string;
let id: string;

beforeAll(async () => {
  token = await stage.product.token(mara);
  const made = await stage.product.call(token, 'POST', 'discourse/conversations', { name: 'A long one' });
  ({ id } = (await made.json()) as { id: string });
  const analystId = await scriptedAgent(stage.product, token);
  for (let n = 1; n <= prompts; n++) {
    const message = { id: crypto.randomUUID(), text: `prompt ${n}. rate=0 tokens=12 seed=${n}`, analystId };
    // The previous one may not have ended yet.
    await until(`prompt ${n}`, async () => {
      const body = { conversationId: id, dataSources: [], message };
      return (await stage.product.call(token, 'POST', 'discourse/user-text', body)).ok;
    });
  }
  await until('the last end', async () => !(await read(stage.product, token, id)).isStreaming);
});

/** The prompts in the document, from top to bottom. */
async function prompted(page: Page): Promise<number[]> {
  const texts = await page.locator('article[data-role="user"]').allInnerTexts();
  return texts.map((text) => Number(/prompt (\d+)\./.exec(text)?.[1] ?? NaN));
}

/** The first prompt that the reader sees, and its distance below the edge. */
function place(page: Page): Promise<{ text: string; top: number }> {
  return page.evaluate(() => {
    const scroller = document.querySelector('[data-virtuoso-scroller]');
    const edge = scroller?.getBoundingClientRect().top ?? 0;
    for (const article of document.querySelectorAll<HTMLElement>('article[data-role="user"]')) {
      const { top } = article.getBoundingClientRect();
      if (top >= edge) {
        return { text: /prompt \d+\./.exec(article.innerText)?.[0] ?? '', top: Math.round(top - edge) };
      }
    }
    return { text: '', top: 0 };
  });
}

/** Scrolls like a reader, until a prompt is in the document. */
async function scrollTo(page: Page, prompt: number, by: number): Promise<void> {
  await page.locator('[data-virtuoso-scroller]').hover();
  await until(`prompt ${prompt}`, async () => {
    if ((await prompted(page)).includes(prompt)) return true;
    await page.mouse.wheel(0, by);
    return false;
  });
}

test('a long conversation opens at its end, and earlier messages come as the reader goes up', async () => {
  const { page, errors } = await stage.sit();
  const pages: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith(`/discourse/conversations/${id}`) && request.method() === 'GET')
      pages.push(url.search);
  });
  await signIn(page, mara);
  await page.goto(`/conversations/${id}`);
  await until('the last prompt', async () => (await prompted(page)).includes(prompts));
  expect(pages).toEqual(['?message_page_size=100']);
  // Only what is near the window is in the document.
  expect(await page.locator('article[data-message-id]').count()).toBeLessThan(60);

  await scrollTo(page, 1, -2_500);
  expect(pages).toHaveLength(3);
  const seen = await prompted(page);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(new Set(seen).size).toBe(seen.length);

  // From the first to the last one nothing is missing, and nothing is there twice.
  const met = new Set<number>();
  await until('the end', async () => {
    for (const n of await prompted(page)) met.add(n);
    await page.mouse.wheel(0, 300);
    return met.has(prompts);
  });
  expect([...met].sort((a, b) => a - b)).toEqual(Array.from({ length: prompts }, (_, i) => i + 1));

  // During a fling nothing is rendered; at its end, everything is there again.
  for (let step = 0; step < 8; step += 1) await page.mouse.wheel(0, -6_000);
  await until('the turns where the fling has ended', async () => {
    const passed = await page.locator('[data-flung]').count();
    return passed === 0 && (await prompted(page)).some((n) => n < prompts);
  });

  // The sent prompt is at the end, and only once.
  await send(page, `prompt ${prompts + 1}. rate=0 tokens=12`);
  await until('the new prompt', async () => (await prompted(page)).at(-1) === prompts + 1);
  expect(errors).toEqual([]);
});

test('a link to a message that is far up leads there', async () => {
  const { messageSet } = await read(stage.product, token, id);
  const linked = messageSet.find((m) => m.text.startsWith('prompt 9.'));
  const { page } = await stage.signedIn(mara);
  await page.goto(`/conversations/${id}?message_id=message-${linked?.id}`);
  const message = page.locator(`article[data-message-id="${linked?.id}"]`);
  await message.waitFor();
  await until('the message in view', () =>
    message.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return element.dataset['highlighted'] === 'true' && top > 0 && bottom < innerHeight;
    }),
  );
});

test('the summary continues to the beginning, and fetching it again leaves the reader in their place', async () => {
  const { page, errors } = await stage.sit();
  // The server answers that the cursor is no longer valid.
  const line: { reset?: () => void; subscribed: number } = { subscribed: 0 };
  await page.routeWebSocket(/\/stream$/, (socket) => {
    const server = socket.connectToServer();
    line.reset = () => socket.send(JSON.stringify({ type: 'reset', stream: id, seq: 1, generation: 0 }));
    socket.onMessage((message) => {
      if (message.toString().includes('"subscribe"')) line.subscribed++;
      server.send(message);
    });
  });
  await signIn(page, mara);
  await page.goto(`/conversations/${id}`);
  await page.getByRole('tab', { name: 'Summary' }).click();
  await scrollTo(page, 1, -2_500);
  await page.getByRole('tab', { name: 'Analytics' }).click();
  await scrollTo(page, 60, -700);
  await page.mouse.wheel(0, -200);
  // Scrolling through the list with the wheel may take the browser some time.
  let [last, rested] = [await place(page), 0];
  const before = await until('a list at rest', async () => {
    const now = await place(page);
    rested = now.text === last.text && now.top === last.top ? rested + 1 : 0;
    last = now;
    return rested > 10 && now;
  });
  const { subscribed } = line;
  line.reset?.();
  await until('the conversation to be followed again', () => Promise.resolve(line.subscribed > subscribed));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await place(page)).toEqual(before);
  expect(errors).toEqual([]);
});
