import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { retailOrders, until } from './api';
import { serious, violations } from './axe';
import { send } from './browser';
import { coveredByToasts } from './covered';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

/** Asks a question about the demo's orders in a new conversation. */
async function ask(page: Page, question: string): Promise<void> {
  const id = await retailOrders(stage.product, await stage.product.token(mara));
  await page.goto(`/conversations/new?dataSources[]=${String(id)}`);
  await send(page, question);
}

async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> {
  const coming: Promise<Download> = page.waitForEvent('download');
  await press();
  const download = await coming;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

test('a chart with units, its table and its files', async () => {
  const { page, errors } = await stage.signedIn(mara);
  await ask(page, 'total net sales by region in 2025');

  const chart = page.locator('[data-chart-frame]').first();
  await chart.locator('.highcharts-root').waitFor();
  // Money has its sign at the axis, in k or M, and the drawing has a description for people who cannot see it.
  await until('euros on the axis', async () =>
    /€\d/.test((await chart.locator('.highcharts-yaxis-labels').textContent()) ?? ''),
  );
  expect(await chart.getByRole('img').getAttribute('aria-label')).toMatch(/Highest €/);

  await chart.getByRole('radio', { name: 'Table' }).click();
  const grid = chart.getByRole('grid');
  await grid.getByRole('columnheader', { name: 'Region' }).waitFor();
  await grid.getByRole('columnheader', { name: /net sales/i }).waitFor();
  expect(await grid.getByRole('gridcell').nth(1).textContent()).toMatch(/^€[\d,]+/);
  const faults = await violations(page, { within: '[data-chart-frame]' });
  expect(faults.map(({ id }) => id)).toEqual([]);

  const csv = await saved(page, async () => {
    await chart.getByRole('button', { name: 'Download chart' }).click();
    await page.getByRole('menuitem', { name: 'CSV data' }).click();
  });
  expect(csv.name).toMatch(/\.csv$/);
  expect(csv.text).toMatch(/^\ufeff?Region,.*net sales \(EUR\)/i);

  await chart.getByRole('radio', { name: 'Chart' }).click();
  await chart.locator('.highcharts-root').waitFor();
  const svg = await saved(page, async () => {
    await chart.getByRole('button', { name: 'Download chart' }).click();
    await page.getByRole('menuitem', { name: 'SVG image' }).click();
  });
  expect(svg.text).toContain('<svg');
  expect(svg.text).not.toContain('var(--');
  expect(errors).toEqual([]);
});

test('a table of an answer in another format, and as a connector', async () => {
  const { page, errors } = await stage.signedIn(mara);
  await ask(page, 'total net sales by product in 2025');
  await page.locator('[data-chart-frame] .highcharts-root').first().waitFor();
  // Many names are in rows, with the small ones combined.
  await page
    .getByRole('button', { name: /^Show all \d+$/ })
    .first()
    .waitFor();

  const workings = page.getByRole('button', { name: /How this was worked out/ });
  await workings.first().click();
  const more = page.getByRole('button', { name: /^More for / }).first();
  await more.waitFor();
  const sheet = await saved(page, async () => {
    await more.click();
    await page.getByRole('menuitem', { name: 'Download as XLSX' }).click();
  });
  expect(sheet.name).toMatch(/\.xlsx$/);
  expect(sheet.text.slice(0, 2)).toBe('PK');

  await more.click();
  await page.getByRole('menuitem', { name: 'Make a connector from this table' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Sales by product');
  expect(await serious(page, 'connector of a table')).toEqual([]);
  await dialog.getByRole('button', { name: 'Create connector' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Connector Sales by product successfully created').first().waitFor();
  expect(await coveredByToasts(page)).toEqual([]);
  await page.goto('/datasources');
  await page.getByRole('article', { name: 'Sales by product' }).waitFor();
  expect(errors).toEqual([]);
});

test('a bar that is pressed leads to its rows, and a chart is drawn in another form', async () => {
  const { page, errors } = await stage.signedIn(mara);
  await ask(page, 'total net sales by region in 2025');
  const chart = page.locator('[data-chart-frame]').first();
  await chart.locator('.highcharts-root').waitFor();

  await chart.getByRole('button', { name: 'Form of the chart' }).click();
  await page.getByRole('menuitemradio', { name: 'Pie' }).click();
  await chart.getByRole('img', { name: /^Pie chart/ }).waitFor();
  await chart.getByRole('button', { name: 'Form of the chart' }).click();
  await page.getByRole('menuitemradio', { name: 'Columns' }).click();
  await chart.getByRole('img', { name: /^Column chart/ }).waitFor();

  const bars = chart.locator('.highcharts-series-0 .highcharts-point');
  await bars.nth(1).waitFor();
  await bars.nth(1).click();
  const popup = page.getByRole('dialog');
  await popup.getByRole('button', { name: 'Show the rows' }).waitFor();
  const region = await popup.getAttribute('aria-label');
  await popup.getByRole('button', { name: 'Show the rows' }).click();
  await page.getByText(`Of those, show the rows where region is “${region ?? ''}”`).waitFor();
  // The year of the question before stays.
  const answer = page.locator('[data-turn]').last();
  await answer.getByRole('grid').first().waitFor();
  await answer
    .getByText(`Region is ${region ?? ''}`, { exact: false })
    .first()
    .waitFor();
  await answer.getByText('2025', { exact: false }).first().waitFor();
  // The chart is not the last answer any more, so its rows are not asked for from it.
  expect(await chart.getByRole('button', { name: 'Show the rows of…' }).count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a table of ten thousand rows is sorted and filtered in a worker', async () => {
  const { page, errors } = await stage.signedIn(mara);
  await ask(page, 'list the first 10000 orders');
  const answer = page.locator('[data-turn]').last();
  await answer.getByRole('button', { name: 'Show the whole table' }).click();
  const footer = answer.getByText(/^10,000 rows/);
  await footer.waitFor({ timeout: 60_000 });

  const grid = answer.getByRole('grid');
  const firstCell = grid.getByRole('gridcell').first();
  const heading = grid.getByRole('columnheader', { name: 'Order ID' });
  await heading.getByRole('button').click();
  await grid.locator('[aria-sort="ascending"]').waitFor();
  const lowest = (await firstCell.textContent()) ?? '';
  await heading.getByRole('button').click();
  await grid.locator('[aria-sort="descending"]').waitFor();
  await until('sorted downwards', async () => ((await firstCell.textContent()) ?? '') > lowest);

  await answer.getByRole('button', { name: /^Filter rows/ }).click();
  await answer.getByRole('textbox', { name: 'Filter Order date' }).fill('2025-01-01');
  await answer.getByText(/^\d+ of 10,000 rows/).waitFor();
  expect(await grid.getByText('Jan 1, 2025').count()).toBeGreaterThan(0);
  await answer.getByRole('textbox', { name: 'Filter Order date' }).fill('1999');
  await answer.getByText(/^0 of 10,000 rows/).waitFor();
  await answer.getByRole('button', { name: 'Clear filters' }).first().click();
  await footer.waitFor();
  expect(errors).toEqual([]);
});
