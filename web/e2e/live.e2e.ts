import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';

import { seeded } from '../src/testing/random';
import { read, scriptedAgent, until } from './api';
import { answers, conversationId, login, newConversation, send, signIn, squeeze } from './browser';
import { LineProxy } from './line-proxy';
import { mara } from './people';
import { onStage } from './stage';

let proxy: LineProxy;
let token: string;

// Browsers only know the address of the proxy; the tests call the server directly.
const stage = onStage(async (opened) => {
  proxy = await opened(LineProxy.start());
  return { PARLEY_URL: proxy.url, PARLEY_SOCKETS_PER_USER: '5000' };
});

beforeAll(async () => {
  proxy.to(stage.product.url);
  token = await stage.product.token(mara);
});

/** The text of the only answer, without the white space. */
async function shown(page: Page): Promise<string> {
  return squeeze((await answers(page))[0] ?? '');
}

/** The text of the only answer on the server. */
async function stored(id: string): Promise<string> {
  const { messageSet } = await read(stage.product, token, id);
  return squeeze(messageSet.find((m) => m.role === 'assistant')?.text ?? '');
}

/** Waits until the answer has ended on the server, and is shown with the same text. */
async function whole(page: Page, id: string): Promise<void> {
  await until('the end', async () => !(await read(stage.product, token, id)).isStreaming);
  const text = await stored(id);
  await until('the whole answer', async () => (await shown(page)) === text);
}

/** Opens a browser behind the proxy, with a clock that the test controls, and starts an answer. */
async function answering(prompt: string) {
  // A test that fails while the network is away must not take the network from the tests after it.
  onTestFinished(() => {
    proxy.storm(null);
    proxy.up();
  });
  const seat = await stage.sit({ url: proxy.url });
  const { page } = seat;
  const fetched: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (search !== '?message_page_size=1' && /\/conversations\/[0-9a-f-]{36}$/.test(pathname))
      if (request.resourceType() === 'fetch' && request.method() === 'GET') fetched.push(pathname);
  });
  await page.clock.install();
  await signIn(page, mara);
  await newConversation(page, 'load-test');
  await send(page, prompt);
  const id = await conversationId(page);
  await until('some text', async () => (await shown(page)).length > 100);
  return { ...seat, id, fetched };
}

/**
 * Stops the page's clock, which otherwise goes on by itself between two steps of a test: on a slow machine, by so much
 * that what is due in a second has happened before the test looks.
 */
async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
}

test('a network that stays away is tried three times, ten seconds apart, and then leads to the sign-in page', async () => {
  const { page, errors, id } = await answering('rate=100 tokens=600 seed=11');
  const before = await shown(page);
  const streams = proxy.streams;
  const tried = (n: number) => until(`try ${n}`, () => Promise.resolve(proxy.streams - streams === n));

  await stopClock(page);
  proxy.down();
  // The first retry is made within two seconds, and is not shown. The page learns of the failure in real time, so one
  // step of its clock could come too early.
  await until('the first try', async () => {
    await page.clock.runFor(100);
    return proxy.streams > streams;
  });
  expect(proxy.streams - streams).toBe(1);
  await page.getByText('Lost connection to server. Attempting to reconnect... (attempt 1 of 3)').waitFor();
  for (const attempt of [1, 2, 3]) {
    await page.getByText(`(attempt ${attempt} of 3)`).waitFor();
    // Nothing that was shown has disappeared.
    expect((await shown(page)).startsWith(before)).toBe(true);
    await page.clock.fastForward(8_500);
    expect(proxy.streams - streams).toBe(attempt);
    await page.clock.fastForward(3_000);
    await tried(attempt + 1);
  }
  // The sign-in page needs a clock that goes on.
  await page.clock.resume();
  await page.waitForURL(/\/login\?code=S429/);
  await page.getByText('Failed to reconnect to server').first().waitFor();

  // After signing in again, people are on the same page, and nothing is missing there.
  proxy.up();
  await login(page, mara);
  await page.waitForURL((url) => url.pathname.includes(id));
  await whole(page, id);
  expect(errors).toEqual([]);
});

test('a network that comes back continues in the middle of the answer, without a gap or a repeat', async () => {
  const { page, errors, id, fetched } = await answering('rate=80 tokens=1000 seed=12');
  const held = fetched.length;
  proxy.down();
  await page.clock.fastForward(2_500);
  await page.getByText('(attempt 1 of 3)').waitFor();
  const before = await shown(page);
  proxy.up();
  await page.clock.fastForward(11_500);
  await page.getByText('Connection re-established').waitFor();
  await until('more of the answer', async () => (await shown(page)).length > before.length + 50);
  expect((await shown(page)).startsWith(before)).toBe(true);
  await whole(page, id);
  // The missing events were sent from the cursor; nothing was fetched again.
  expect(fetched.length).toBe(held);
  expect(await page.getByText('(attempt').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a line on which nothing comes any more is left after two keep-alives that did not come', async () => {
  const { page, errors, id } = await answering('rate=80 tokens=400 seed=13');
  const { streams } = proxy;
  proxy.stall();
  await page.clock.fastForward('00:50');
  expect(proxy.streams).toBe(streams);
  await page.clock.fastForward('00:10');
  await page.clock.fastForward('00:03');
  await until('another stream', () => Promise.resolve(proxy.streams > streams));
  await whole(page, id);
  expect(page.url()).toContain(id);
  expect(errors).toEqual([]);
});

test('a line that is cut dozens of times, at any point, leaves the page as the server is', async () => {
  const seed = Date.now() % 1_000_000;
  // The same cuts for the same seed, if the network delivers the same bytes.
  const random = seeded(seed);
  const cuts = 60;
  const { page, errors, id } = await answering('rate=200 tokens=3000 seed=14');
  const analystId = await scriptedAgent(stage.product, token);
  // The event of a browser when its network is back, so that the test does not wait for a pause. An open stream is
  // pinged by it, so bytes arrive until the cut, also when all answers have ended.
  await page.evaluate(() => setInterval(() => window.dispatchEvent(new Event('online')), 15));
  let streams = 0;
  proxy.storm({
    fate: (pinged) => {
      streams += 1;
      // A page gives up after four connections that did not become ready, which is correct. It pings a server that
      // is ready, so each third connection is cut only after its ping, however slow the page is.
      const from = streams % 3 === 0 ? { from: pinged } : {};
      return { end: 'cut', after: 50 + random.below(1_500), ...from };
    },
  });
  proxy.cutStreams();
  const ids: string[] = [];
  const enough = async (): Promise<boolean> => {
    expect(page.url(), 'the page has not given up').toContain(id);
    if (ids.length < 12) {
      const name = `Cut ${seed} ${ids.length}`;
      const made = await stage.product.call(token, 'POST', 'discourse/conversations', { name });
      ids.push(((await made.json()) as { id: string }).id);
      const message = { id: crypto.randomUUID(), text: `rate=0 tokens=20 seed=${ids.length}`, analystId };
      const body = { conversationId: ids.at(-1), dataSources: [], message };
      expect((await stage.product.call(token, 'POST', 'discourse/user-text', body)).ok).toBe(true);
    }
    return proxy.cuts >= cuts;
  };
  await until(`${cuts} cuts`, enough, 240_000);
  proxy.storm(null);
  await whole(page, id);
  await until(`every unread answer in the list, seed ${seed}`, async () => {
    const rows = page.getByRole('link').filter({ hasText: `Cut ${seed}` });
    const unread = rows.filter({ has: page.getByRole('img', { name: /completed the request/i }) });
    return (await rows.count()) === ids.length && (await unread.count()) === ids.length;
  });
  expect(await page.getByText('Assistant is working').count()).toBe(0);
  expect(page.url()).toContain(id);
  expect(errors).toEqual([]);
});

test('two tabs of one person say the same: what runs, what is unread, what was read, and the answer itself', async () => {
  const { context, page, errors } = await stage.signedIn(mara, { url: proxy.url });
  const other = await context.newPage();
  const name = `Two tabs ${Date.now()}`;
  const made = await stage.product.call(token, 'POST', 'discourse/conversations', { name });
  const { id } = (await made.json()) as { id: string };
  // Each shows another conversation.
  const elsewhere = await stage.product.call(token, 'POST', 'discourse/conversations', { name: 'Elsewhere' });
  const { id: looked } = (await elsewhere.json()) as { id: string };
  for (const tab of [page, other]) await tab.goto(`/conversations/${looked}`);
  const row = (tab: Page) => tab.getByRole('link').filter({ hasText: name });
  const running = (tab: Page) => row(tab).getByText('Assistant is working');
  const unread = (tab: Page) => row(tab).getByRole('img', { name: 'Assistant has completed the request' });
  for (const tab of [page, other]) await row(tab).waitFor();

  const analystId = await scriptedAgent(stage.product, token);
  const message = { id: crypto.randomUUID(), text: 'rate=60 tokens=120 seed=15', analystId };
  const body = { conversationId: id, dataSources: [], message };
  expect((await stage.product.call(token, 'POST', 'discourse/user-text', body)).ok).toBe(true);
  for (const tab of [page, other]) await running(tab).waitFor();
  for (const tab of [page, other]) await unread(tab).waitFor();
  expect(await running(page).count()).toBe(0);
  // It is read in one tab, and therefore in both.
  await row(page).click();
  await page.locator('article[data-role="assistant"]').waitFor();
  for (const tab of [page, other]) await unread(tab).waitFor({ state: 'detached' });

  // Both have it open: a question in one is answered in both, and unread in neither.
  await row(other).click();
  await other.locator('article[data-role="assistant"]').waitFor();
  await page.getByRole('combobox', { name: 'Agent' }).click();
  await page.getByRole('option', { name: 'load-test' }).click();
  await send(page, 'rate=60 tokens=120 seed=16');
  await until('the second answer', async () => (await answers(other)).length === 2);
  await until('the end', async () => !(await read(stage.product, token, id)).isStreaming);
  const { messageSet } = await read(stage.product, token, id);
  const texts = messageSet.filter((m) => m.role === 'assistant').map((m) => squeeze(m.text));
  for (const tab of [page, other]) {
    await until('the same text', async () => (await answers(tab)).map(squeeze).join() === texts.join());
    await running(tab).waitFor({ state: 'detached' });
    expect(await unread(tab).count()).toBe(0);
  }
  expect(errors).toEqual([]);
});

test('four hours in which nothing is touched end the session, and work in one tab keeps the other', async () => {
  const { context, page, errors } = await stage.sit({ url: proxy.url });
  await context.clock.install();
  await signIn(page, mara);
  const other = await context.newPage();
  await other.goto('/datasources');
  await other.getByRole('heading', { name: 'Connectors' }).waitFor();
  await context.clock.fastForward('03:00:00');
  await other.mouse.move(200, 200);
  // The tabs are processes of their own, and one reads what the other has stored a moment later, on a busy machine too late
  // for a clock that jumps.
  await until('the first tab sees the work in the second', () =>
    page.evaluate(() => Date.now() - Number(localStorage.getItem('parley.lastActivity')) < 60_000),
  );
  await context.clock.fastForward('03:00:00');
  expect(page.url()).not.toContain('/login');
  expect(other.url()).not.toContain('/login');
  await context.clock.fastForward('01:02:00');
  for (const tab of [page, other]) await tab.waitForURL((url) => url.pathname === '/login');
  // Idleness is not an error, and has no code.
  expect(new URL(page.url()).search).toBe('');
  expect(errors).toEqual([]);
});
