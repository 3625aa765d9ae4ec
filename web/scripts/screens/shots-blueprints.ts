import type { Page } from 'playwright-core';

import type { Shot } from './shots';
import { askedByMenu, failing, goTo, goToText, loading, never, openMenu } from './steps';

const list = '**/discourse/blueprints?*';

async function newBlueprint(page: Page, step: number): Promise<void> {
  await goTo('/blueprints/new')(page);
  await page
    .getByLabel(/^Tit(le|el)/)
    .first()
    .fill('Region check');
  for (let at = 0; at < step; at += 1) await page.getByRole('button', { name: 'Next', exact: true }).click();
}

/** Edits the title of a blueprint. */
async function changed(page: Page, id: number): Promise<void> {
  await goTo(`/blueprints/${id}/edit`)(page);
  await page.getByRole('textbox', { name: /^Title/ }).fill('Revenue check of every week');
}

/** A dialog of the menu of a blueprint. */
function dialog(name: string, entry: string): Shot {
  return {
    name: `blueprint-${name}`,
    reach: async (page, { blueprint }) => {
      await goTo(`/blueprints/${blueprint}`)(page);
      await askedByMenu(page, entry);
    },
  };
}

/** Blueprints: the lists, one of them, its editor and its dialogs. */
export const blueprints: readonly Shot[] = [
  { name: 'blueprints', reach: goTo('/blueprints'), german: true },
  {
    name: 'blueprints-list',
    reach: async (page) => {
      await goTo('/blueprints')(page);
      await page.getByRole('radio', { name: 'List', exact: true }).click();
    },
  },
  {
    name: 'blueprints-no-favorite',
    reach: goToText('/blueprints?filter=favorite', 'Mark a blueprint with its star'),
  },
  { name: 'blueprints-nothing-found', reach: goToText('/blueprints?search=quartz', 'No results found') },
  {
    name: 'blueprints-loading',
    busy: true,
    reach: async (page) => {
      await never(page, list);
      await page.goto('/blueprints');
      await page.getByRole('heading', { name: 'Blueprints' }).waitFor();
    },
  },
  { name: 'blueprints-failed', reach: failing('/blueprints', list) },
  {
    name: 'blueprints-menu',
    reach: async (page) => {
      await goTo('/blueprints')(page);
      await page.getByRole('button', { name: 'More actions for Weekly revenue check' }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  { name: 'blueprint-library', reach: goTo('/blueprint/library') },
  {
    name: 'blueprint-library-categories',
    reach: async (page) => {
      await goTo('/blueprint/library')(page);
      await page.getByRole('combobox', { name: 'Category' }).click();
      await page.getByRole('option').nth(1).waitFor();
    },
  },
  { name: 'blueprint', reach: (page, { blueprint }) => goTo(`/blueprints/${blueprint}`)(page), german: true },
  {
    name: 'blueprint-archived',
    reach: (page, { archivedBlueprint }) => goTo(`/blueprints/${archivedBlueprint}`)(page),
  },
  {
    name: 'blueprint-shared',
    as: 'tomas',
    reach: (page, { blueprint }) => goTo(`/blueprints/${blueprint}/edit`)(page),
  },
  { name: 'blueprint-gone', reach: goToText('/blueprints/999999', 'Blueprint not found') },
  {
    name: 'blueprint-failed',
    reach: (page, { blueprint }) =>
      failing(`/blueprints/${blueprint}`, `**/discourse/blueprints/${blueprint}`)(page),
  },
  {
    name: 'blueprint-loading',
    busy: true,
    reach: async (page, { blueprint }) => {
      await never(page, `**/discourse/blueprints/${blueprint}`);
      await loading(page, `/blueprints/${blueprint}`, 'Loading blueprint');
    },
  },
  {
    name: 'blueprint-menu',
    reach: async (page, { blueprint }) => {
      await goTo(`/blueprints/${blueprint}`)(page);
      await openMenu(page);
    },
  },
  dialog('duplicate', 'Duplicate'),
  dialog('access', 'Manage access'),
  dialog('archive', 'Archive'),
  dialog('delete', 'Delete'),
  {
    name: 'blueprint-start',
    reach: async (page, { withInputs }) => {
      await goTo(`/blueprints/${withInputs}`)(page);
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'blueprint-edit', reach: (page, { blueprint }) => goTo(`/blueprints/${blueprint}/edit`)(page) },
  {
    name: 'blueprint-unsaved',
    reach: async (page, { blueprint }) => {
      await changed(page, blueprint);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'blueprint-conflict',
    reach: async (page, { blueprint }) => {
      await changed(page, blueprint);
      await page.route(`**/discourse/blueprints/${blueprint}`, (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 409, contentType: 'application/json', body: '{"code":"conflict"}' })
          : route.continue(),
      );
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  { name: 'blueprint-new-1', reach: (page) => newBlueprint(page, 0), german: true },
  { name: 'blueprint-new-2', reach: (page) => newBlueprint(page, 1) },
  {
    name: 'blueprint-new-3',
    reach: async (page) => {
      await newBlueprint(page, 2);
      await page.getByLabel('Inputs, one per line').fill('Region: North or South');
      await page.getByLabel('Initial user message').fill('Net sales of {{Region}} by month');
      await page.getByLabel('Value of Region').fill('North');
    },
  },
  {
    name: 'blueprint-new-4',
    reach: async (page) => {
      await newBlueprint(page, 3);
      await page.getByRole('button', { name: 'Add Code' }).click();
      await page.getByRole('textbox', { name: 'Code' }).waitFor();
    },
  },
  {
    name: 'blueprint-refused',
    reach: async (page) => {
      await newBlueprint(page, 3);
      await page.getByRole('button', { name: 'Create blueprint' }).click();
    },
  },
];
