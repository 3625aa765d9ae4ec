import { expect, test } from 'vitest';

import { serious } from './axe';
import { signIn } from './browser';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

test('the published contract is rendered from this server alone, and a call can be tried out', async () => {
  const { page, errors } = await stage.sit();
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(stage.product.url) && !request.url().startsWith('data:'))
      foreign.push(request.url());
  });
  await signIn(page, mara);
  await page.getByRole('button', { name: /appearance and more/ }).click();
  await page.getByRole('menuitem', { name: 'API reference' }).click();
  const call = page.locator('#operations-user-get-user-me');
  await page.locator('#operations-tag-user').waitFor();
  expect(await serious(page, 'reference')).toEqual([]);
  // The library has a main landmark, and the page has one already.
  expect(await page.getByRole('main').count()).toBe(1);
  await page.locator('#operations-tag-user').getByRole('button').click();
  await call.locator('.opblock-summary-control').click();
  await call.getByRole('button', { name: 'Try it out' }).click();
  await call.getByRole('button', { name: 'Execute' }).click();
  await call.locator('.live-responses-table').getByText(mara).waitFor();
  expect(foreign).toEqual([]);
  expect(errors).toEqual([]);
});
