import type { Page } from 'playwright-core';

import type { Shot } from './shots';
import { charted, open } from './shots-talking';
import { askedByMenu, menuItem, never, openMenu } from './steps';

/** Opens the dialog that chooses connectors. */
async function pick(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /Add Connector/i })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
}

/** A dialog of the menu of a conversation. */
function dialog(name: string, entry: string): Shot {
  return {
    name: `conversation-${name}`,
    reach: async (page, world) => {
      await open(page, world, 'chart');
      await askedByMenu(page, entry);
    },
  };
}

/** The menus, lists and dialogs of a conversation. */
export const asking: readonly Shot[] = [
  {
    name: 'conversation-menu',
    reach: async (page, world) => {
      await open(page, world, 'chart');
      await openMenu(page);
    },
  },
  {
    name: 'conversation-view-menu',
    only: 'phone',
    reach: async (page, world) => {
      await open(page, world, 'chart');
      await page.getByRole('button', { name: /^View: / }).click();
    },
  },
  {
    name: 'conversation-turn-menu',
    reach: async (page, world) => {
      await charted(page, world, 'chart');
      await page.getByRole('button', { name: 'Turn actions' }).first().click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'conversation-rewind',
    reach: async (page, world) => {
      await charted(page, world, 'chart');
      await page.getByRole('button', { name: 'Turn actions' }).first().click();
      await page.getByRole('menuitem', { name: 'Rewind to here' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'conversation-table-menu',
    reach: async (page, world) => {
      await open(page, world, 'table');
      await page
        .getByRole('button', { name: /^More for / })
        .first()
        .click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'conversation-table-connector',
    reach: async (page, world) => {
      await open(page, world, 'table');
      await page
        .getByRole('button', { name: /^More for / })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Make a connector from this table' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'conversation-agents',
    reach: async (page, world) => {
      await open(page, world, 'chart');
      await page.getByRole('combobox', { name: 'Agent' }).click();
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'conversation-feedback',
    reach: async (page, world) => {
      await charted(page, world, 'chart');
      await page.getByRole('button', { name: 'Bad answer' }).first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'conversation-access',
    reach: async (page, world, phone) => {
      await open(page, world, 'chart');
      if (phone) await menuItem(page, 'Manage access');
      else await page.getByRole('button', { name: 'Manage access' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'conversation-picker',
    reach: async (page, world) => {
      await open(page, world, 'empty');
      await pick(page);
    },
  },
  {
    name: 'conversation-picker-table',
    reach: async (page, world) => {
      await open(page, world, 'empty');
      await pick(page);
      await page.getByRole('dialog').getByRole('radio', { name: 'List', exact: true }).click();
    },
  },
  {
    name: 'conversation-picker-chosen',
    reach: async (page, world) => {
      await open(page, world, 'chart');
      await pick(page);
      const choices = page.getByRole('dialog').getByRole('article').getByRole('button', { pressed: false });
      await choices.first().click();
      await page.getByRole('button', { name: /^Add \d connector/ }).waitFor();
    },
  },
  {
    name: 'conversation-rename-title',
    reach: async (page, world) => {
      await open(page, world, 'chart');
      await page.getByRole('heading', { level: 1 }).getByRole('button').click();
      await page.getByRole('textbox', { name: 'Conversation name' }).fill('');
      await page.getByText('Please enter a name').waitFor();
    },
  },
  dialog('rename', 'Rename'),
  dialog('duplicate', 'Duplicate'),
  dialog('projects', 'Add to project'),
  dialog('archive', 'Archive'),
  dialog('delete', 'Delete'),
  {
    name: 'conversation-save-as',
    busy: true,
    reach: async (page, world, phone) => {
      await open(page, world, 'chart');
      await never(page, '**/discourse/blueprints');
      if (phone) await menuItem(page, 'Save as Blueprint');
      else await page.getByRole('button', { name: 'Save as Blueprint' }).click();
      await page.getByText('Generating blueprint').waitFor();
    },
  },
];
