import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { type ApiConversation, read, until } from './api';
import { serious } from './axe';
import { answers, conversationId } from './browser';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

/** Waits until the plan of a conversation has ended, and the page has received that. */
async function ended(page: Page, id: string): Promise<ApiConversation> {
  const token = await stage.product.token(mara);
  const done = await until('the end of the plan', async () => {
    const c = await read(stage.product, token, id);
    return !c.isStreaming && c.messageSet.some((m) => m.role === 'assistant') && c;
  });
  expect(done.messageSet.filter((m) => m.status !== 'complete')).toEqual([]);
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  return done;
}

test('ask at once from home with a connector, by an offered question, and find it among the last ones', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const box = page.getByRole('textbox', { name: 'Message' });
  await page.getByRole('button', { name: /^Retail orders/ }).click();
  await page.getByRole('button', { name: 'Remove Retail orders' }).waitFor();
  await box.fill('net sales by region');
  await box.press('Enter');
  const id = await conversationId(page);
  await ended(page, id);
  await page.goto('/home');
  const recent = page.getByRole('region', { name: 'Recent' });
  await recent.getByRole('link', { name: /net sales by region/ }).waitFor();

  // Each suggested question can be answered.
  const offered = page.getByRole('list', { name: 'Questions that can be answered' }).getByRole('button');
  await until('three questions', async () => (await offered.count()) === 3);
  const question = await offered.first().innerText();
  await offered.first().click();
  const asked = await ended(page, await conversationId(page));
  expect(asked.messageSet.find((m) => m.role === 'user')?.text).toBe(question);
  expect(asked.messageSet.find((m) => m.role === 'assistant')?.text).not.toMatch(/did not understand/);
  expect(errors).toEqual([]);
});

test('start a library blueprint with inputs from home', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const card = page.getByRole('button', { name: /Start with a blueprint/ });
  const tag = Number(
    await until('the number of blueprints', async () => /\d+/.exec(await card.innerText())?.[0]),
  );
  await card.click();
  await page.waitForURL((url) => url.searchParams.get('activeTab') === 'blueprint');
  const cards = page.getByRole('article');
  await until('a card for each', async () => (await cards.count()) === tag);

  await page.getByRole('combobox', { name: 'Search blueprints' }).fill('deep dive');
  await until('one card', async () => (await cards.count()) === 1);
  // The names that were found are listed above the card.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Region deep dive', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Retail orders').waitFor();
  // A missing value is reported at its field, and nothing is started.
  await dialog.getByLabel('Region').fill('North');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await dialog.getByText('Please enter Year.').waitFor();
  await dialog.getByLabel('Year').fill('2025');
  await dialog.getByRole('button', { name: 'Start' }).click();

  const id = await conversationId(page);
  // The answer arrives here while the plan runs, not with a reload.
  await page.locator('article[data-role="assistant"]').first().waitFor();
  const done = await ended(page, id);
  const last = done.messageSet.filter((m) => m.role === 'assistant').at(-1)?.text ?? '';
  // Its Markdown marks are not shown: only its letters are compared.
  const letters = (text: string) => text.replace(/[^\p{L}]/gu, '');
  const beginning = letters(last).slice(0, 20);
  expect(beginning).toHaveLength(20);
  await until('the last answer', async () => letters((await answers(page)).join(' ')).includes(beginning));
  expect(done.messageSet.find((m) => m.role === 'user')?.text).toContain('North');
  expect(errors).toEqual([]);
});

test('start a blueprint that needs nothing from its page, and find it again', async () => {
  const { page, errors } = await stage.signedIn(mara);
  await page.getByRole('link', { name: 'Blueprints', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Blueprints', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Favorite Monthly sales review' }).click();
  await page.getByRole('link', { name: 'Library Blueprints' }).click();
  await page.getByRole('heading', { name: 'Library blueprints' }).waitFor();
  await page.getByRole('combobox', { name: 'Category' }).click();
  await page.getByRole('option', { name: 'Reporting' }).click();
  await page.getByRole('button', { name: 'Region deep dive', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Monthly sales review', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();

  const id = await conversationId(page);
  await page.locator('article[data-role="assistant"]').first().waitFor();
  await ended(page, id);

  await page.getByRole('link', { name: 'Blueprints', exact: true }).click();
  for (const segment of ['Favorite', 'Recent']) {
    await page.getByRole('radio', { name: segment, exact: true }).click();
    await page.getByRole('button', { name: 'Monthly sales review', exact: true }).waitFor();
  }
  expect(errors).toEqual([]);
});

for (const [name, options] of [
  ['desktop, light', { width: 1440, height: 900, dark: false }],
  ['phone, dark', { width: 390, height: 844, dark: true }],
] as const) {
  test(`axe finds nothing serious, and nothing is too wide: ${name}`, async () => {
    const { page, errors } = await stage.signedIn(mara, options);
    const found: string[] = [];
    for (const address of ['/home?activeTab=blueprint', '/blueprints', '/blueprint/library']) {
      await page.goto(address);
      await page.getByRole('article').first().waitFor();
      found.push(...(await serious(page, address)));
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (wide > 0) found.push(`${address} is ${wide} px too wide`);
    }
    await page.getByRole('radio', { name: 'List' }).click();
    await page.getByRole('table').waitFor();
    found.push(...(await serious(page, 'list')));
    await page.getByRole('button', { name: 'Region deep dive', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await dialog.getByText('Please enter Year.').waitFor();
    found.push(...(await serious(page, 'start dialog')));
    expect(found).toEqual([]);
    expect(errors).toEqual([]);
  });
}
