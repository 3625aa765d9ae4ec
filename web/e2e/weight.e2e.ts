import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { type Weight, weights } from '../build/budgets';
import { retailOrders } from './api';
import { conversationId, send } from './browser';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

interface Fetched {
  type: string;
  url: string;
  /** The size as transferred, without headers. */
  bytes: number;
}

/** Opens an address with an empty cache and returns everything that was fetched until the page is shown and idle. */
async function firstLoad(
  state: Awaited<ReturnType<BrowserContext['storageState']>> | undefined,
  address: string,
  shown: (page: Page) => Promise<unknown>,
  { width = 1280, height = 900 } = {},
): Promise<Fetched[]> {
  const context = await stage.browser.newContext({
    baseURL: stage.product.url,
    viewport: { width, height },
    ...(state && { storageState: state }),
  });
  const page = await context.newPage();
  // Ten seconds after it was opened, a page that nobody has touched fetches what will be needed later
  // (after-first-load.ts). On a busy machine the first load takes longer than that, and would be counted with it.
  await page.addInitScript(() => {
    const original = window.setTimeout;
    window.setTimeout = ((run: TimerHandler, after?: number, ...rest: unknown[]) =>
      after === 10_000 ? 0 : original(run, after, ...rest)) as typeof window.setTimeout;
  });
  const line = await context.newCDPSession(page);
  const fetched = new Map<string, Fetched>();
  await line.send('Network.enable');
  line.on('Network.requestWillBeSent', ({ requestId, request, type = '' }) => {
    if (!request.url.startsWith('data:')) fetched.set(requestId, { type, url: request.url, bytes: 0 });
  });
  line.on('Network.webSocketCreated', ({ requestId, url }) => {
    fetched.set(requestId, { type: 'WebSocket', url, bytes: 0 });
  });
  line.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const one = fetched.get(requestId);
    if (one) one.bytes += encodedDataLength;
  });
  await page.goto(address);
  await shown(page);
  await page.waitForLoadState('networkidle');
  await context.close();
  return [...fetched.values()];
}

/** What was fetched, one line each, for a page that has become too large. */
function lines(fetched: readonly Fetched[]): string {
  return fetched.map(({ type, url, bytes }) => `${type} ${bytes} ${url}`).join('\n');
}

/** Requests are all of them, the document, its icon and the stream too. */
function expectWithin(fetched: readonly Fetched[], most: Weight, requests: number): void {
  const kB = (wanted: string): number =>
    fetched.filter(({ type }) => type === wanted).reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  expect(kB('Script'), lines(fetched)).toBeGreaterThan(0);
  expect(kB('Script'), lines(fetched)).toBeLessThanOrEqual(most.scripts);
  expect(kB('Stylesheet'), lines(fetched)).toBeLessThanOrEqual(most.styles);
  expect(fetched.length, lines(fetched)).toBeLessThanOrEqual(requests);
}

test('the first loads weigh what they may, as a browser counts', async () => {
  expectWithin(
    await firstLoad(undefined, '/login', (page) => page.getByRole('button', { name: 'Login' }).waitFor()),
    weights.signIn,
    10,
  );

  const { context, page } = await stage.signedIn(mara);
  const id = await retailOrders(stage.product, await stage.product.token(mara));
  await page.goto(`/conversations/new?dataSources[]=${String(id)}`);
  await send(page, 'total net sales by region in 2025');
  await page.locator('[data-chart-frame] .highcharts-root').first().waitFor();
  const conversation = await conversationId(page);
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  const state = await context.storageState();

  expectWithin(
    await firstLoad(state, '/home', (one) =>
      one.getByRole('region', { name: 'Recent' }).getByRole('link').first().waitFor(),
    ),
    weights.home,
    25,
  );
  const drawn = (one: Page): Promise<void> =>
    one.locator('[data-chart-frame] .highcharts-root').first().waitFor();
  const address = `/conversations/${conversation}`;
  expectWithin(await firstLoad(state, address, drawn), weights.conversationWithChart, 25);
  // The numbers are next to the drawing if there is space.
  const withTable = async (one: Page): Promise<void> => {
    await drawn(one);
    await one.locator('[data-chart-frame]').getByRole('grid').first().waitFor();
  };
  for (const width of [1440, 1920]) {
    expectWithin(await firstLoad(state, address, withTable, { width }), weights.conversationWithChart, 25);
  }

  // Each further chart in view is one request more: three of them leave a reserve of three.
  await page.goto(address);
  for (const question of ['total net sales by channel in 2025', 'total net sales by month in 2025']) {
    await send(page, question);
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  }
  await context.close();
  const three = async (one: Page): Promise<void> => {
    await one.locator('[data-chart-frame] .highcharts-root').nth(2).waitFor();
  };
  expectWithin(
    await firstLoad(state, address, three, { width: 1280, height: 2400 }),
    weights.conversationWithChart,
    22,
  );
});
