import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { until } from './api';
import { serious } from './axe';
import { login } from './browser';
import { tomas, yuna } from './people';
import { onStage } from './stage';

const root = path.resolve(import.meta.dirname, '../..');

const stage = onStage();

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('a task runs by itself, and two tabs follow it without a reload', async () => {
  const { context, page, errors } = await stage.signedIn(tomas);
  await page.goto('/tasks');
  await page.getByText('No scheduled tasks').waitFor();
  const other = await context.newPage();
  await other.goto('/tasks');
  await other.getByText('No scheduled tasks').waitFor();

  await page.getByRole('button', { name: 'Schedule task' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Schedule task' });
  await dialog
    .getByText(/^Needs inputs?: /)
    .first()
    .waitFor();
  await dialog.getByRole('radio', { name: /Customer service report/ }).click();
  expect(await serious(page, 'the first step of the wizard')).toEqual([]);
  // Its two columns fit the dialog.
  const wide = await dialog.getByRole('table').evaluate((table) => {
    const box = table.parentElement as HTMLElement;
    return box.scrollWidth - box.clientWidth;
  });
  expect(wide).toBe(0);
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Monday report');
  await choose(page, 'Frequency', 'Weekly');
  await choose(page, 'Day of the week', 'Monday');
  await choose(page, 'Time', '9:30 AM');
  await page.getByRole('combobox', { name: 'Time zone' }).click();
  await page.keyboard.type('new york');
  await page.getByRole('option', { name: /America\/New York/ }).click();
  await dialog.getByText('Runs every Monday at 9:30 AM, America/New York time.').waitFor();
  await dialog
    .getByText(/9:30\sAM E[SD]T/)
    .first()
    .waitFor();
  expect(await serious(page, 'the second step of the wizard')).toEqual([]);
  await dialog.getByRole('button', { name: 'Schedule task' }).click();

  // The other tab is notified.
  await other.getByRole('link', { name: 'Monday report' }).click();
  await other.getByText('It has not run yet.').waitFor();
  const id = new URL(other.url()).pathname.split('/').at(-1) ?? '';
  expect(await serious(other, 'a task')).toEqual([]);

  await promisify(execFile)('go', ['run', './internal/taskdue', stage.product.database(), id], { cwd: root });
  const history = other.getByRole('table', { name: 'Run history' });
  await history.getByText('Complete').waitFor();
  expect(await serious(other, 'a task that has run')).toEqual([]);
  await history.getByRole('link').click();
  await other.locator('article').first().waitFor();
  expect(new URL(other.url()).pathname).toMatch(/^\/conversations\//);

  // What one tab switches off, the other shows.
  await other.goto('/tasks');
  await page.getByRole('switch', { name: 'Monday report is active' }).click();
  await until('the switch of the other tab', async () => !(await other.getByRole('switch').isChecked()));
  await page.getByRole('button', { name: /Monday report/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page
    .getByRole('alertdialog', { name: 'Delete Scheduled Work' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await other.getByText('No scheduled tasks').waitFor();
  expect(errors).toEqual([]);
});

test('a task that is not there leads to the list, and without the flag there is none', async () => {
  const { page } = await stage.signedIn(tomas);
  await page.goto('/tasks/01920000-0000-7000-8000-0000000000aa');
  await page.getByText('Scheduled task 01920000-0000-7000-8000-0000000000aa not found').waitFor();
  await page.waitForURL((url) => url.pathname === '/tasks');

  const seat = await stage.sit();
  await seat.page.goto('/tasks');
  await login(seat.page, yuna);
  await seat.page.getByRole('heading', { name: /not found/i }).waitFor();
});
