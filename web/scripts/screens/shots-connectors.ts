import type { Page } from 'playwright-core';

import type { Shot } from './shots';
import { askedByMenu, failing, goTo, goToText, loading, never, openMenu, refuse } from './steps';

async function addConnector(page: Page): Promise<void> {
  await goTo('/datasources')(page);
  await page.getByRole('button', { name: 'Add connector' }).first().click();
  await page.getByRole('dialog').waitFor();
}

/** Chooses a file for a new connector. */
async function chooseFile(page: Page): Promise<void> {
  await addConnector(page);
  await page
    .getByRole('dialog')
    .locator('input[type="file"]')
    .setInputFiles({
      name: 'Umsatz 2025.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Tag;Umsatz\n01.02.2025;1.207,76 €\n02.02.2025;362,80 €\n'),
    });
}

/** A dialog of the menu of a connector. */
function dialog(name: string, entry: string, of: 'orders' | 'upload' = 'upload'): Shot {
  return {
    name: `connector-${name}`,
    reach: async (page, world) => {
      await goTo(`/datasource/${world[of]}`)(page);
      await askedByMenu(page, entry);
    },
  };
}

/** Connectors: the list, one of them, and their dialogs. */
export const connectors: readonly Shot[] = [
  { name: 'connectors', reach: goTo('/datasources'), german: true },
  {
    name: 'connectors-table',
    reach: async (page) => {
      await goTo('/datasources')(page);
      await page.getByRole('radio', { name: 'List', exact: true }).click();
    },
  },
  {
    name: 'connectors-nothing-found',
    reach: async (page) => {
      await goTo('/datasources')(page);
      await page.getByRole('combobox', { name: 'Search connectors' }).fill('quartz');
      await page.keyboard.press('Escape');
    },
  },
  {
    name: 'connectors-typeahead',
    reach: async (page) => {
      await goTo('/datasources')(page);
      await page.getByRole('combobox', { name: 'Search connectors' }).pressSequentially('re');
      await page.getByRole('option').first().waitFor();
    },
  },
  { name: 'connectors-none', as: 'samir', reach: goTo('/datasources?filter=favorite') },
  {
    name: 'connectors-menu',
    reach: async (page) => {
      await goTo('/datasources')(page);
      await page.getByRole('button', { name: 'More actions for Retail orders' }).click();
    },
  },
  {
    name: 'connectors-quick-view',
    reach: async (page) => {
      await goTo('/datasources')(page);
      await page.getByRole('button', { name: 'Quick view of Retail orders' }).click();
      await page.getByRole('gridcell').first().waitFor();
    },
  },
  {
    name: 'connectors-quick-view-tables',
    reach: async (page) => {
      await goTo('/datasources')(page);
      await page.getByRole('button', { name: 'Quick view of Budget of the teams' }).click();
      await page.getByRole('gridcell').first().waitFor();
    },
  },
  { name: 'connectors-upload', reach: addConnector },
  {
    name: 'connectors-upload-file',
    reach: async (page) => {
      await chooseFile(page);
      await page.getByRole('dialog').getByLabel('Description').waitFor();
    },
  },
  {
    name: 'connectors-upload-failed',
    reach: async (page) => {
      await refuse(page, '**/memory/file/info');
      await chooseFile(page);
      await page.getByRole('dialog').getByRole('alert').first().waitFor();
    },
  },
  { name: 'connector', reach: (page, { orders }) => goTo(`/datasource/${orders}`)(page), german: true },
  {
    name: 'connector-whole',
    height: 2400,
    reach: (page, { orders }) => goTo(`/datasource/${orders}`)(page),
  },
  { name: 'connector-tables', reach: (page, { book }) => goTo(`/datasource/${book}`)(page) },
  {
    name: 'connector-tables-second',
    reach: async (page, { book }) => {
      await goTo(`/datasource/${book}`)(page);
      await page.getByRole('tab').nth(2).click();
      await page.getByRole('gridcell').first().waitFor();
    },
  },
  { name: 'connector-edit', reach: (page, { upload }) => goTo(`/datasource/${upload}/edit`)(page) },
  {
    name: 'connector-shared',
    reach: async (page, { upload }) => {
      await goTo(`/datasource/${upload}`)(page);
      await page.getByRole('button', { name: 'Shared with Tomas Okafor' }).click();
      await page.getByRole('dialog').getByText('Tomas Okafor').waitFor();
    },
  },
  {
    name: 'connector-menu',
    reach: async (page, { upload }) => {
      await goTo(`/datasource/${upload}`)(page);
      await openMenu(page);
    },
  },
  dialog('replace', 'Replace file'),
  dialog('access', 'Manage access', 'orders'),
  dialog('archive', 'Archive'),
  dialog('delete', 'Delete'),
  { name: 'connector-gone', reach: goToText('/datasource/999999', 'Connector not found') },
  {
    name: 'connector-loading',
    busy: true,
    reach: async (page, { orders }) => {
      await never(page, `**/memory/datasources/${orders}`);
      await loading(page, `/datasource/${orders}`, 'Loading the connector');
    },
  },
  {
    name: 'connector-failed',
    reach: (page, { orders }) => failing(`/datasource/${orders}`, `**/memory/datasources/${orders}`)(page),
  },
];
