import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { retailOrders } from './api';
import { unclear } from './ax-tree';
import { login } from './browser';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

/** All announcements of the page's live regions from now on, in their order. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const note = (): void => {
      for (const region of document.querySelectorAll('main [role="status"], main [aria-live="polite"]')) {
        const text = region.textContent.trim();
        if (text !== '' && !said.includes(text)) said.push(text);
      }
    };
    new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said);
}

test('the main path has names, headings and parts for those who do not see it', async () => {
  const { page, errors } = await stage.sit();
  const found: string[] = [];
  await page.goto('/login');
  await page.getByRole('button', { name: 'Login' }).waitFor();
  found.push(...(await unclear(page, 'sign-in')));
  await login(page, mara);
  await page.getByRole('heading', { name: 'Ask your data anything', level: 1 }).waitFor();
  await page.getByRole('button', { name: /^Retail orders/ }).waitFor();
  found.push(...(await unclear(page, 'home')));

  // A connector is chosen from the list by its name and asked a question, and the answer is announced once, at its
  // end.
  const box = page.getByRole('region', { name: 'Ask a question' }).getByRole('textbox', { name: 'Message' });
  await page.getByRole('button', { name: /^Retail orders/ }).press('Space');
  await box.fill('total net sales by region in 2025');
  await box.press('Enter');
  await page.waitForURL(/\/conversations\/[0-9a-f-]{36}/);
  const said = await listen(page);
  const turn = page.getByRole('feed').getByRole('article', { name: /^“total net sales by region in 2025”/ });
  await turn.getByRole('button', { name: 'And by month?' }).waitFor();
  await page.locator('.highcharts-root').first().waitFor();
  found.push(...(await unclear(page, 'conversation')));
  const answers = (await said()).filter((text) => text.includes('prism-1 has answered'));
  expect(answers).toEqual([expect.stringMatching(/^prism-1 has answered: Central has the highest/)]);
  // The answer has its agent's name, a number its origin, and the drawing a description.
  const answer = turn.getByRole('article', { name: 'Answer from prism-1' });
  await answer.getByRole('button', { name: /^€423,020: where this number comes from$/ }).waitFor();
  const drawing = answer.getByRole('img', { name: /Total net sales/ });
  expect(await drawing.getAttribute('aria-label')).toMatch(/Central/);
  await answer.getByRole('grid', { name: /Total net sales/ }).waitFor();
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
});

test('dialogs, palette, wizard and tables have names for those who do not see them', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const found: string[] = [];
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Find anything' }).getByText('New conversation').waitFor();
  found.push(...(await unclear(page, 'palette')));

  await page.goto('/datasources');
  await page.getByRole('heading', { name: 'Connectors', level: 1 }).waitFor();
  await page.getByRole('article', { name: 'Retail orders' }).waitFor();
  found.push(...(await unclear(page, 'connectors')));
  await page.getByRole('button', { name: 'Add connector' }).first().press('Enter');
  await page.getByRole('dialog', { name: 'Add connector' }).waitFor();
  found.push(...(await unclear(page, 'upload')));
  await page.keyboard.press('Escape');

  await page.goto(`/datasource/${await retailOrders(stage.product, await stage.product.token(mara))}`);
  await page.getByRole('grid').first().waitFor();
  await page.getByRole('columnheader', { name: 'Order ID' }).first().waitFor();
  found.push(...(await unclear(page, 'connector')));

  await page.goto('/tasks');
  await page.getByRole('button', { name: 'Schedule task' }).first().press('Enter');
  const wizard = page.getByRole('dialog', { name: 'Schedule task' });
  await wizard.getByRole('radio').first().waitFor();
  found.push(...(await unclear(page, 'wizard')));

  await page.goto('/blueprints?view=list');
  await page.getByRole('row', { name: /Refund check/ }).waitFor();
  found.push(...(await unclear(page, 'blueprints')));
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
});
