import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { read, until, upload } from './api';
import { serious } from './axe';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

/** What the planner says of a level, which it does not add up over months. */
const tookTheLast = /so I took the last one/u;

/** A file with a row for each of 20 accounts in each of 12 months; the seats change in few months. */
function seats(column: string): string {
  const rows = Array.from({ length: 20 }, (_, account) =>
    Array.from({ length: 12 }, (_, month) => {
      const day = `2025-${String(month + 1).padStart(2, '0')}-01`;
      return `A${100 + account},${day},${10 + account + (month > account % 11 ? 5 : 0)}`;
    }),
  );
  return [`account_id,month,${column}`, ...rows.flat()].join('\n');
}

const fields = { name: 'Seats', description: 'The seats of each account.', scope: 'user', type: 'csv' };

const question = 'What is the total of seats by account id?';

/** A connector with the seats, and what a test does with it. */
async function uploaded() {
  const token = await stage.product.token(mara);
  const id = await upload(stage.product, token, { name: 'seats.csv', text: seats('seats') }, fields);
  const measured = async (): Promise<boolean> =>
    until('the measurement', async () => {
      const answer = await stage.product.call(token, 'GET', `memory/datasources/${id}/meaning`);
      return ((await answer.json()) as { measured: boolean }).measured;
    });
  /** Asks a question that adds up seats, and returns what the assistant says and where. */
  const asked = async (): Promise<{ conversation: string; said: string }> => {
    const made = await stage.product.call(token, 'POST', 'discourse/conversations', {
      name: 'Seats',
      dataSources: [id],
    });
    const { id: conversation } = (await made.json()) as { id: string };
    await stage.product.call(token, 'POST', 'discourse/user-text', {
      conversationId: conversation,
      message: { text: question },
      dataSources: [id],
    });
    const said = await until('an answer', async () => {
      const { messageSet, isStreaming } = await read(stage.product, token, conversation);
      const texts = messageSet.filter(({ role }) => role !== 'user').map(({ text }) => text);
      return !isStreaming && texts.length > 0 && texts.join('\n');
    });
    return { conversation, said };
  };
  /** Puts another file in place of the first one, and waits until it is measured. */
  const replace = async (column: string): Promise<void> => {
    const held = await stage.product.call(token, 'GET', `memory/datasources/${id}`);
    const form = new FormData();
    form.append('version', String(((await held.json()) as { version: number }).version));
    form.append('file', new Blob([seats(column)]), 'seats of next year.csv');
    const answer = await stage.product.call(token, 'PUT', `memory/datasources/${id}/file`, form);
    if (!answer.ok) throw new Error(`replace the file: ${answer.status} ${await answer.text()}`);
    await measured();
  };
  await measured();
  return { id, token, asked, replace };
}

test('correct what a column means, ask, replace the file, and take it back', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const { id, asked, replace } = await uploaded();
  const ask = async (): Promise<string> => (await asked()).said;

  await page.goto(`/datasource/${id}`);
  const meaning = page.getByRole('region', { name: 'What the data mean' });
  await meaning.getByText('Measured: Account ID + Month together are unique in 240 of 240 rows').waitFor();
  await meaning.getByText('Seats: a level, which is never added up over time', { exact: false }).waitFor();
  expect(await serious(page, 'connector')).toEqual([]);
  await shot(page, 'before');
  const before = await ask();
  expect(before).toMatch(tookTheLast);

  // By the keyboard alone.
  await meaning.getByRole('button', { name: 'Seats: It may be added up' }).focus();
  await page.keyboard.press('Enter');
  const said = meaning.getByText(/it may be added up$/u);
  await said.waitFor();
  await meaning.getByText('Seats: an amount, which is added up').waitFor();
  expect(await serious(page, 'connector, corrected')).toEqual([]);
  await shot(page, 'corrected');
  expect(await ask()).not.toMatch(tookTheLast);

  // Another file without the column: the correction rests. With one that has it, it holds again.
  await replace('chairs');
  await page.reload();
  await page.getByText('Corrections not in use').waitFor();
  await shot(page, 'rests');
  await replace('seats');
  await page.reload();
  await said.waitFor();
  await meaning.getByText('Seats: an amount, which is added up').waitFor();
  expect(await ask()).not.toMatch(tookTheLast);

  await meaning.getByRole('button', { name: 'Seats: it may be added up: Take back' }).click();
  await meaning.getByText('Seats: a level, which is never added up over time', { exact: false }).waitFor();
  expect(await said.count()).toBe(0);
  expect(await ask()).toMatch(tookTheLast);
  expect(errors).toEqual([]);
});

test('correct an assumption under the answer that took it, ask again, and take it back', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const { id, token, asked, replace } = await uploaded();
  const { conversation } = await asked();
  await page.goto(`/conversations/${conversation}`);
  const turns = page.locator('[data-turn]');
  const first = turns.first();
  await first.getByText('Seats: the last month was taken.').waitFor();

  // The grade is a word; pressing it shows what was checked.
  const grade = first.getByRole('button', { name: 'Assumed: what was checked' });
  await grade.focus();
  await page.keyboard.press('Enter');
  const checks = first.getByRole('list', { name: 'What was checked' });
  await checks.getByText('No row is counted twice').waitFor();
  expect(await serious(page, 'answer with its checks')).toEqual([]);
  await shot(page, 'grade');

  // Another choice, and the same question again as an ordinary prompt.
  await first.getByRole('button', { name: /^Add it up \(Seats/u }).click();
  await first.getByText('Said.', { exact: true }).waitFor();
  await first.getByRole('button', { name: 'Ask again' }).click();
  const second = turns.nth(1);
  const prompts = await until('the second answer', async () => {
    const { messageSet, isStreaming } = await read(stage.product, token, conversation);
    const sent = messageSet.filter(({ role }) => role === 'user').map(({ text }) => text);
    return !isStreaming && sent.length === 2 && sent;
  });
  expect(prompts).toEqual([question, question]);
  await second.getByRole('button', { name: /what was checked$/u }).waitFor();
  expect(await second.innerText()).not.toMatch(tookTheLast);
  expect(await first.innerText()).toMatch(tookTheLast);

  // The connector's page says who said it; it outlives the file, and can be taken back there.
  await first.getByRole('link', { name: 'Take it back on the connector’s page' }).click();
  const meaning = page.getByRole('region', { name: 'What the data mean' });
  const said = meaning.getByText(/^Mara .* on .*: it may be added up$/u);
  await said.waitFor();
  await replace('seats');
  await page.goto(`/datasource/${id}`);
  await said.waitFor();
  await meaning.getByRole('button', { name: 'Seats: it may be added up: Take back' }).click();
  await meaning.getByText('Seats: a level, which is never added up over time', { exact: false }).waitFor();
  expect(await said.count()).toBe(0);
  expect((await asked()).said).toMatch(tookTheLast);
  expect(errors).toEqual([]);
});

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  for (const [view, width, scheme] of [
    ['desktop', 1440, 'light'],
    ['desktop-dark', 1440, 'dark'],
    ['phone', 390, 'light'],
    ['phone-dark', 390, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 2200 });
    // The page scrolls within itself, so a tall window shows all of it.
    await page.screenshot({ path: path.join(folder, `${name}-${view}.png`) });
  }
}
