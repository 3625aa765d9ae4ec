import type { Page } from 'playwright-core';

import type { World } from './data';
import type { Shot } from './shots';
import { goTo, never, refuse } from './steps';

/** Opens a connector of the person and waits for what its data mean. */
async function meant(page: Page, id: number): Promise<void> {
  await goTo(`/datasource/${id}`)(page);
  await page
    .getByRole('region', { name: 'What the data mean' })
    .getByText('What one row is', { exact: false })
    .waitFor();
}

/** Opens the menu of what is said less often of a column. */
async function more(page: Page, { seats }: World): Promise<void> {
  await meant(page, seats);
  await page.getByRole('button', { name: 'Seats: More' }).click();
  await page.getByRole('menuitem').first().waitFor();
}

/** What the data of a connector mean, and its corrections. */
export const meaning: readonly Shot[] = [
  { name: 'connector-meaning', height: 1600, reach: (page, { seats }) => meant(page, seats) },
  {
    name: 'connector-meaning-corrected',
    height: 1600,
    reach: (page, { corrected }) => meant(page, corrected),
  },
  { name: 'connector-meaning-menu', reach: more },
  {
    name: 'connector-meaning-unit',
    reach: async (page, world) => {
      await more(page, world);
      await page.getByRole('menuitem', { name: 'Unit…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'connector-meaning-link',
    reach: async (page, world) => {
      await more(page, world);
      await page.getByRole('menuitem', { name: 'Add a link…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Connector' }).click();
      await page.getByRole('option', { name: 'Retail orders' }).click();
      await dialog.getByRole('combobox', { name: 'Column' }).click();
      await page.getByRole('option').nth(3).waitFor();
    },
  },
  {
    name: 'connector-meaning-row',
    reach: async (page, { seats }) => {
      await meant(page, seats);
      await page.getByRole('button', { name: 'What one row is: Change' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'connector-meaning-failed',
    height: 1200,
    reach: async (page, { seats }) => {
      await refuse(page, `**/memory/datasources/${seats}/meaning`);
      await goTo(`/datasource/${seats}`)(page);
      await page.getByText('What the data mean could not be loaded.').waitFor();
    },
  },
  {
    name: 'connector-meaning-loading',
    height: 1200,
    busy: true,
    reach: async (page, { seats }) => {
      await never(page, `**/memory/datasources/${seats}/meaning`);
      await goTo(`/datasource/${seats}`)(page);
      await page.getByLabel('Reading what the data mean').waitFor();
    },
  },
];
