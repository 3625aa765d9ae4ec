import { expect, test } from 'vitest';

import { until } from './api';
import { serious } from './axe';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

test('a superuser makes a memory, switches it off, and deletes it', async () => {
  const { page, errors } = await stage.signedIn(mara);
  await page.getByRole('link', { name: 'Memories', exact: true }).click();
  await page.getByRole('tab', { name: 'Memory admin' }).click();
  await page.getByRole('article').first().waitFor();
  expect(await serious(page, 'memories')).toEqual([]);

  await page.getByRole('button', { name: 'Create Memory' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Memory' });
  await dialog.getByRole('button', { name: 'Create Memory' }).click();
  await dialog.getByText('All fields are required').first().waitFor();
  expect(await serious(page, 'dialog')).toEqual([]);
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Zebra rule');
  await dialog.getByRole('textbox', { name: /^Question/ }).fill('What is the zebra rule?');
  await dialog.getByRole('textbox', { name: /^Response/ }).fill('Stripes count twice.');
  await dialog.getByRole('combobox', { name: /^Type/ }).click();
  await page.getByRole('option', { name: 'Definition' }).click();
  await dialog.getByRole('button', { name: 'Create Memory' }).click();
  await page.getByText('Memory created successfully').waitFor();

  await page.getByRole('combobox', { name: 'Search memories' }).fill('zebra');
  const cards = page.getByRole('article');
  await until('the one card', async () => (await cards.count()) === 1);
  await page.getByRole('button', { name: 'More actions for Zebra rule' }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await cards.getByText('Inactive').waitFor();
  await page.getByRole('button', { name: 'More actions for Zebra rule' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Memory deleted successfully').waitFor();
  await until('no card', async () => (await cards.count()) === 0);
  expect(errors).toEqual([]);
});
