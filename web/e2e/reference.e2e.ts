import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { launch, serious, signIn, sit } from './browser';
import { Product } from './product';

let product: Product;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start(), launch()]);
});

afterAll(async () => {
  await browser.close();
  await product.stop();
});

test('the published contract is rendered from this server alone, and a call can be tried out', async () => {
  const { context, page, errors } = await sit(browser, product);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(product.url) && !request.url().startsWith('data:'))
      foreign.push(request.url());
  });
  await signIn(page, 'mara@meridian.example');
  await page.getByRole('button', { name: /appearance and more/ }).click();
  await page.getByRole('menuitem', { name: 'API reference' }).click();
  const call = page.locator('#operations-user-get-user-me');
  await page.locator('#operations-tag-user').waitFor();
  expect(await serious(page, 'reference')).toEqual([]);
  // The library brings a main part of its own, and the page has one already.
  expect(await page.getByRole('main').count()).toBe(1);
  await page.locator('#operations-tag-user').getByRole('button').click();
  await call.locator('.opblock-summary-control').click();
  await call.getByRole('button', { name: 'Try it out' }).click();
  await call.getByRole('button', { name: 'Execute' }).click();
  await call.locator('.live-responses-table').getByText('mara@meridian.example').waitFor();
  expect(foreign).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});
