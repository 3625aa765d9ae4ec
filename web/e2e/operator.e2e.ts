import { expect, test } from 'vitest';

import { serious } from './axe';
import { elena, mara } from './people';
import { onStage } from './stage';

const stage = onStage();

test('the operator sees the node work, and other people find no such page', async () => {
  const { page, errors } = await stage.signedIn(mara);
  await page.goto('/home');
  await page.getByRole('link', { name: 'Cluster' }).click();
  const row = page.getByRole('row', { name: /Serving/ });
  await row.waitFor();
  expect(await row.innerText()).toContain('e2e-');
  // The page's own stream is among those that the node counts.
  await page.getByRole('img', { name: /^Open streams.*: [1-9]/ }).waitFor();
  await page.locator('.highcharts-root').nth(4).waitFor();
  expect(await serious(page, 'the nodes')).toEqual([]);
  expect(errors).toEqual([]);

  const other = await stage.signedIn(elena);
  await other.page.goto('/cluster');
  await other.page.getByRole('heading', { name: /not found/i }).waitFor();
});
