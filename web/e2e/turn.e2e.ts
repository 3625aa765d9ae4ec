import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';

import { retailOrders, until } from './api';
import { answers, newConversation, send } from './browser';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

test('an answer is first, its workings folded; a number shows its row; a question that follows is asked by a click', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const token = await stage.product.token(mara);
  const sources = (await (await stage.product.call(token, 'GET', 'memory/datasources')).json()) as {
    results: { id: number; name: string }[];
  };
  const orders = sources.results.find((source) => /retail/i.test(source.name));
  await page.goto(`/conversations/new?dataSources[]=${orders?.id}`);
  await send(page, 'total net sales by region');
  const turns = page.locator('[data-turn]');
  const fold = turns.nth(0).getByRole('button', { name: 'How this was worked out' });
  await turns.nth(0).locator('.highcharts-root').waitFor();
  const next = turns.nth(0).getByRole('group', { name: 'Questions to ask next' }).getByRole('button');
  await next.first().waitFor();
  expect(await fold.getAttribute('aria-expanded')).toBe('false');
  expect(await turns.nth(0).locator('article').count()).toBe(2);

  await turns.nth(0).locator('[data-figure]').first().click();
  const row = page.getByRole('dialog');
  await row.getByText(/^Row 1 of/).waitFor();
  await row.getByRole('button', { name: 'Show query' }).click();
  await until('the workings', async () => (await fold.getAttribute('aria-expanded')) === 'true');
  await turns.nth(0).getByText('GROUP BY 1').first().waitFor();

  const question = (await next.first().innerText()).trim();
  await next.first().click();
  await until('the next question', async () => (await turns.count()) === 2);
  expect(await turns.nth(1).locator('article[data-role="user"]').innerText()).toContain(question);
  await turns.nth(1).locator('article[data-role="assistant"]').first().waitFor();
  expect(errors).toEqual([]);
});

test('an answer that is taller than the page is shown from its question on, also when it is opened again', async () => {
  const { page } = await stage.signedIn(mara, { width: 390, height: 700 });
  const orders = await retailOrders(stage.product, await stage.product.token(mara));
  await page.goto(`/conversations/new?dataSources[]=${orders}`);
  const turns = page.locator('[data-turn]');
  const jump = page.getByRole('button', { name: 'Jump to latest' });

  const questions = [
    'net sales by region',
    'net sales by category',
    'net sales by month',
    'quantity by region',
  ];
  const last = turns.last();
  for (const question of questions) {
    await send(page, `total ${question}`);
    await last.getByText(`total ${question}`).first().waitFor();
    await last.locator('.highcharts-root').waitFor();
    await last.getByRole('group', { name: 'Questions to ask next' }).waitFor();
    await inViewAtTheTop(last);
    expect(await jump.count(), 'over an answer that is read from its beginning').toBe(0);
  }
  await page.reload();
  await last.locator('.highcharts-root').waitFor();
  await inViewAtTheTop(last);

  await page.mouse.move(195, 350);
  await page.mouse.wheel(0, 60);
  await jump.click();
  await until('the end', async () => (await jump.count()) === 0);
  await page.mouse.wheel(0, -300);
  await jump.waitFor();
});

/** Waits until a turn begins at the upper edge of the view: its question, and below it the answer. */
function inViewAtTheTop(turn: Locator): Promise<unknown> {
  return until('the beginning of the turn at the upper edge', () =>
    turn.evaluate((node) => {
      const list = node.closest('[data-virtuoso-scroller]');
      if (!list) return false;
      const below = node.getBoundingClientRect().top - list.getBoundingClientRect().top;
      return list.scrollHeight > list.clientHeight && below >= 0 && below <= 24;
    }),
  );
}

test('a question asked while an answer runs waits for it, and Escape stops', async () => {
  const { page } = await stage.signedIn(mara);
  await newConversation(page, 'load-test');
  await send(page, 'rate=20 tokens=20000 seed=12');
  await until('some text', async () => ((await answers(page))[0] ?? '').length > 100);
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('rate=0 tokens=5 seed=13');
  await box.press('Enter');
  await page.getByText('Sends when this answer is done').waitFor();
  expect(await box.inputValue()).toBe('');
  await box.press('Escape');
  await page.getByText('Stopped before it was finished').waitFor();
  await until('the second question', async () => (await page.locator('[data-turn]').count()) === 2);
  await until('the second answer', async () => (await answers(page)).length === 2);
});

test('a number shows its row, and the view changes, by keys alone', async () => {
  const { page, errors } = await stage.signedIn(mara, { width: 390, height: 844 });
  const orders = await retailOrders(stage.product, await stage.product.token(mara));
  await page.goto(`/conversations/new?dataSources[]=${orders}`);
  await send(page, 'total net sales by region');
  const figure = page.locator('[data-figure]').first();
  await figure.waitFor();
  await figure.focus();
  await page.keyboard.press('Enter');
  const row = page.getByRole('dialog');
  await row.getByText(/^Row 1 of/).waitFor();
  await page.keyboard.press('Escape');
  await row.waitFor({ state: 'detached' });
  await until('the focus at the number', () => focused(figure));

  const views = page.getByRole('button', { name: /Analytics/ });
  await views.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /Summary/ }).waitFor();
  await until('the focus at the views', () => focused(page.getByRole('button', { name: /Summary/ })));
  expect(errors).toEqual([]);
});

function focused(element: Locator): Promise<boolean> {
  return element.evaluate((node) => node === node.ownerDocument.activeElement);
}
