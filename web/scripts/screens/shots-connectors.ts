import type { Shot } from './shots';
import { goTo, menuItem, never, refuse } from './steps';

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
    name: 'assets-loading',
    busy: true,
    reach: async (page) => {
      await never(page, '**/memory/datasources?*');
      await page.goto('/datasources');
      await page.getByText('Loading').waitFor();
    },
  },
  {
    name: 'assets-failed',
    reach: async (page) => {
      await refuse(page, '**/memory/datasources?*');
      await page.goto('/datasources');
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
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
    name: 'connectors-upload',
    reach: async (page) => {
      await goTo('/datasources')(page);
      await page.getByRole('button', { name: 'Add connector' }).first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'connectors-upload-file',
    reach: async (page) => {
      await goTo('/datasources')(page);
      await page.getByRole('button', { name: 'Add connector' }).first().click();
      await page
        .getByRole('dialog')
        .locator('input[type="file"]')
        .setInputFiles({
          name: 'Umsatz 2025.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from('Tag;Umsatz\n01.02.2025;1.207,76 €\n02.02.2025;362,80 €\n'),
        });
      await page.getByRole('dialog').getByLabel('Description').waitFor();
    },
  },
  { name: 'connector', reach: (page, { orders }) => goTo(`/datasource/${orders}`)(page), german: true },
  {
    name: 'connector-whole',
    height: 2400,
    reach: (page, { orders }) => goTo(`/datasource/${orders}`)(page),
  },
  { name: 'connector-edit', reach: (page, { upload }) => goTo(`/datasource/${upload}/edit`)(page) },
  {
    name: 'connector-replace',
    reach: async (page, { upload }) => {
      await goTo(`/datasource/${upload}`)(page);
      await menuItem(page, 'Replace file');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'connector-access',
    reach: async (page, { orders }) => {
      await goTo(`/datasource/${orders}`)(page);
      await menuItem(page, 'Manage access');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'connector-delete',
    reach: async (page, { upload }) => {
      await goTo(`/datasource/${upload}`)(page);
      await menuItem(page, 'Delete');
    },
  },
  { name: 'connector-gone', reach: goTo('/datasource/999999') },
];
