import { expect, test } from 'vitest';

import { read, retailOrders, until } from './api';
import { serious } from './axe';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

/** Asks a question over the API, and waits for the end of its answer. */
async function ask(token: string, text: string, source: number): Promise<string> {
  const made = await stage.product.call(token, 'POST', 'discourse/conversations', {
    name: text,
    dataSources: [source],
  });
  const { id } = (await made.json()) as { id: string };
  const sent = await stage.product.call(token, 'POST', 'discourse/user-text', {
    conversationId: id,
    dataSources: [source],
    message: { text },
  });
  expect(sent.ok).toBe(true);
  await until('the answer', async () => {
    const conversation = await read(stage.product, token, id);
    return !conversation.isStreaming && conversation.messageSet.some(({ role }) => role === 'assistant');
  });
  return id;
}

test('what was used is on the account page, to the credit, as the API counts it', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const token = await stage.product.token(mara);
  const source = await retailOrders(stage.product, token);
  await ask(token, 'net sales by region', source);
  const gone = await ask(token, 'net sales by product', source);
  await stage.product.call(token, 'DELETE', `discourse/conversations/${gone}`);

  const report = (await (
    await stage.product.call(token, 'GET', 'discourse/llm-statistics/usage-report?level=conversation')
  ).json()) as { totalTokensCreditSum: number; results: { totalTokensCreditSum: number }[] };
  expect(report.totalTokensCreditSum).toBeGreaterThan(0);
  const credits = (value: number) =>
    new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 }).format(value).replaceAll(/\s/gu, ' ');

  const found: string[] = [];
  await page.goto('/account');
  await page.getByText(`${credits(report.totalTokensCreditSum)} credits this month`).waitFor();
  const table = page.getByRole('table', { name: 'My Conversations' });
  await table.getByRole('link', { name: 'net sales by region' }).waitFor();
  const shown = await table.getByRole('row').allInnerTexts();
  expect(shown.slice(1).map((row) => row.split('\t').at(-1)?.replaceAll(/\s/gu, ' '))).toEqual(
    report.results.map((row) => credits(row.totalTokensCreditSum)),
  );
  expect(await table.locator('s').allInnerTexts()).toEqual(['net sales by product']);
  // On the first day of a month there is one bar, which is shown as a figure.
  if (new Date().getDate() > 1) await page.locator('.highcharts-root').first().waitFor();
  else await page.getByRole('figure').getByText('Credits by day').waitFor();
  found.push(...(await serious(page, 'usage')));

  // A tab that is pressed with the mouse has no ring, though the design system focuses it; one reached by a key has one.
  const ring = (name: string) =>
    page
      .getByRole('tab', { name })
      .locator('.rt-TabsTriggerInner')
      .evaluate((inner) => getComputedStyle(inner).outlineStyle);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  // A mouse moves before it presses, and what follows it is loaded then.
  await page.mouse.move(200, 200);
  await page.locator('html[data-hand]').waitFor();
  await page.getByRole('tab', { name: 'By Project' }).click();
  await page.getByRole('row', { name: /no project assigned/ }).waitFor();
  expect(await ring('By Project')).toBe('none');
  await page.keyboard.press('ArrowRight');
  expect(await ring('By User')).toBe('solid');
  await page.getByRole('row', { name: /Mara Lindqvist/ }).waitFor();
  await page.getByRole('switch', { name: 'Show personal usage only' }).click();
  await page.getByRole('columnheader', { name: '% of my usage' }).waitFor();
  await page.getByRole('combobox', { name: 'Time period' }).click();
  await page.getByRole('option', { name: 'Last month' }).click();
  await page.getByText('No data').waitFor();
  found.push(...(await serious(page, 'nothing used')));

  // Debug mode outlives the reload that switches it.
  await page.getByRole('tab', { name: 'Superuser Controls' }).click();
  await page.getByRole('button', { name: 'Enable Debug Mode' }).click();
  await page.getByRole('button', { name: 'Disable Debug Mode' }).waitFor();
  found.push(...(await serious(page, 'controls')));
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
});

test('credentials are handed over, thanked for, and given back by no call', async () => {
  const { page, errors } = await stage.signedIn(mara);
  await page.goto('/data-config');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Please select a file').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Warehouse');
  await page.locator('input[type="file"]').setInputFiles({
    name: 'key.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"key":"quartz"}'),
  });
  const found = await serious(page, 'credentials');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('Thank you. “Warehouse” has been uploaded and stored encrypted.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('');
  expect(await page.getByText('key.json').count()).toBe(0);
  found.push(...(await serious(page, 'thanks')));
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(await page.getByText('Thank you.').count()).toBe(0);
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
});
