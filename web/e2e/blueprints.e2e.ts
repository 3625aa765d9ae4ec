import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { until } from './api';
import { serious } from './axe';
import { conversationId, newConversation, send } from './browser';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

/** The steps as the plan shows them, in their order. */
async function order(page: Page): Promise<(string | null)[]> {
  return page
    .getByRole('article')
    .evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')));
}

test('make a blueprint in four steps, put its steps in order, and start it', async () => {
  const { page, errors } = await stage.signedIn(mara);
  await page.goto('/blueprints/new');
  await page.getByLabel('Title').fill('Region check');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('combobox', { name: 'Connectors' }).click();
  await page.getByRole('option', { name: /Retail orders/ }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByLabel('Inputs, one per line').fill('Region: North or South');
  await page.getByLabel('Initial user message').fill('Net sales of {{Region}} by month');
  await page.getByLabel('Value of Region').fill('North');
  await page.getByRole('group', { name: 'Preview' }).getByText('North').waitFor();
  expect(await serious(page, 'plan inputs')).toEqual([]);
  await page.getByRole('button', { name: 'Next', exact: true }).click();

  await page.getByLabel('Step name').fill('Sum up');
  await page.getByRole('textbox', { name: 'Detailed instructions' }).fill('Net sales of {{Region}} by month');
  await page.getByRole('button', { name: 'Add step' }).click();
  const second = page.getByRole('article', { name: 'Step 2: Step 2' });
  await second.getByRole('textbox', { name: 'Detailed instructions' }).fill('Number of orders of {{Region}}');
  await page.getByRole('button', { name: 'Move Step 2', exact: true }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await until('the second step before the first', async () => (await order(page))[0] === 'Step 1: Step 2');
  // And back, with the keys for dragging.
  await page.keyboard.press('Space');
  await page.getByText('Picked up Step 2, position 1 of 2.').waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowDown');
  await page.getByText('Step 2 is now at position 2 of 2.').waitFor({ state: 'attached' });
  await page.keyboard.press('Space');
  await until('the steps as before', async () => (await order(page))[0] === 'Step 1: Sum up');
  expect(await serious(page, 'workflow plan')).toEqual([]);
  await page.getByRole('button', { name: 'Create blueprint' }).click();

  await page.getByRole('heading', { level: 1, name: 'Region check' }).waitFor();
  expect(await serious(page, 'a blueprint')).toEqual([]);
  await page.getByRole('button', { name: 'Start' }).click();
  const dialog = page.getByRole('dialog', { name: 'Region check' });
  await dialog.getByLabel('Region').fill('North');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await conversationId(page);
  await page.getByText('Net sales of North by month').first().waitFor();
  expect(errors).toEqual([]);
});

test('code is written in an editor that needs no inline style', async () => {
  const { page, errors } = await stage.signedIn(mara);
  // The strictest policy: style elements and attributes have no effect.
  await page.route(/\/blueprints\/new$/, async (route) => {
    const answer = await route.fetch();
    const headers = { ...answer.headers(), 'content-security-policy': "style-src 'self'; script-src 'self'" };
    await route.fulfill({ response: answer, headers });
  });
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(window, { refused });
    document.addEventListener('securitypolicyviolation', (event) => refused.push(event.sourceFile));
  });
  await page.goto('/blueprints/new');
  await page.getByLabel('Title').fill('Code');
  for (let step = 0; step < 3; step++) await page.getByRole('button', { name: 'Next', exact: true }).click();
  const refused = () => page.evaluate(() => (window as unknown as { refused: string[] }).refused.length);
  const before = await refused();
  await page.getByRole('button', { name: 'Add Code' }).click();
  const code = page.getByRole('textbox', { name: 'Code' });
  await until('the focus in the code', () =>
    code.evaluate((text) => (text.getRootNode() as ShadowRoot).activeElement === text),
  );
  await page.keyboard.press('Tab');
  await page.keyboard.type('return "two spaces"');
  expect(await code.innerText()).toBe('  return "two spaces"');
  // It is styled and coloured, although only style sheets are allowed.
  expect(await code.evaluate((text) => getComputedStyle(text).whiteSpace)).toMatch(/break-spaces|pre-wrap/);
  const keyword = code.getByText('return', { exact: true });
  await until('the colours', async () => (await keyword.count()) === 1);
  expect(await keyword.evaluate((word) => getComputedStyle(word).color)).not.toBe(
    await code.evaluate((text) => getComputedStyle(text).color),
  );
  expect(await refused()).toBe(before);
  // Esc, and then Tab, leaves the editor.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await until('the focus behind the code', () =>
    code.evaluate((text) => (text.getRootNode() as ShadowRoot).activeElement === null),
  );
  expect(await serious(page, 'code editor')).toEqual([]);
  // The library of the dialogs adds styles with the page's nonce, which this policy does not allow.
  expect(errors.filter((error) => !error.includes('inline style'))).toEqual([]);
});

test('save a conversation as a blueprint, change it, copy it and delete it', async () => {
  const { page, errors } = await stage.signedIn(mara);
  await newConversation(page);
  await send(page, 'How many orders are there?');
  await conversationId(page);
  await page.getByRole('button', { name: 'Save as Blueprint' }).click();
  await page.waitForURL(/\/blueprints\/\d+$/);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Title').fill('Number of orders');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Number of orders' }).waitFor();
  await page.getByText('Blueprint updated successfully').waitFor();

  await page.getByRole('button', { name: 'More actions' }).click();
  expect(await serious(page, 'menu of a blueprint')).toEqual([]);
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { level: 1, name: 'Copy of Number of orders' }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(`${stage.product.url}/blueprints`);
  expect(errors).toEqual([]);
});
