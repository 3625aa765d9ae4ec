import path from 'node:path';

import type { Browser, Page } from 'playwright-core';

import { read, retailOrders, until } from '../e2e/api';
import { launch, signIn, sit } from '../e2e/browser';
import { tomas } from '../e2e/people';
import { Product } from '../e2e/product';

const folder = path.resolve(import.meta.dirname, '../../docs/images');

const questions = [
  'net sales by month in 2025',
  'return rate by product category',
  'compare net sales of 2024 and 2025 by region',
  'total net sales by region in 2025',
];

/** Takes the pictures of the README, from the view of a person of the demo: npm run pictures, after make build. */
export async function main(): Promise<void> {
  const [product, browser] = await Promise.all([Product.start({ PARLEY_SCRIPTED: 'false' }), launch()]);
  try {
    const token = await product.token(tomas);
    const source = await retailOrders(product, token);
    let id = '';
    for (const text of questions) id = await ask(product, token, text, source);
    const answer = async (page: Page) => {
      await page.goto(`/conversations/${id}`);
      await page.locator('.highcharts-root').first().waitFor();
    };
    await take(browser, product, 'home', { width: 1280, height: 1000 }, (page) => page.goto('/home'));
    await take(browser, product, 'answer', { width: 1440, height: 960 }, answer);
    await take(browser, product, 'connector', { width: 1280, height: 800 }, (page) =>
      page.goto(`/datasource/${source}`),
    );
    await take(browser, product, 'phone', { width: 390, height: 844, dark: true }, answer);
  } finally {
    await browser.close();
    await product.stop();
  }
}

async function ask(product: Product, token: string, text: string, source: number): Promise<string> {
  const name = text.charAt(0).toUpperCase() + text.slice(1);
  const dataSources = [source];
  const made = await product.call(token, 'POST', 'discourse/conversations', { name, dataSources });
  const { id } = (await made.json()) as { id: string };
  await product.call(token, 'POST', 'discourse/user-text', {
    conversationId: id,
    dataSources,
    message: { text },
  });
  await until(`the answer to ${text}`, async () => {
    const { isStreaming, messageSet } = await read(product, token, id);
    return !isStreaming && messageSet.length > 1;
  });
  await product.call(token, 'POST', `discourse/conversations/${id}/read`);
  return id;
}

async function take(
  browser: Browser,
  product: Product,
  name: string,
  size: { width: number; height: number; dark?: boolean },
  reach: (page: Page) => Promise<unknown>,
): Promise<void> {
  const { context, page } = await sit(browser, product, size);
  await signIn(page, tomas);
  await reach(page);
  await page.getByRole('heading').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.rt-Skeleton') === null);
  await page.waitForFunction(
    () => document.querySelector('[role="feed"][style*="visibility: hidden"]') === null,
  );
  // A chart is drawn in the frame after its rows have arrived.
  await page.waitForTimeout(1000);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  await context.close();
}
