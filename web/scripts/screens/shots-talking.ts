import type { Page } from 'playwright-core';

import type { ConversationName, World } from './data';
import type { Shot } from './shots';
import { goTo, menuItem, never, refuse } from './steps';

async function open(page: Page, world: World, name: ConversationName): Promise<void> {
  await goTo(`/conversations/${world.conversations[name]}`)(page);
  if (name === 'failed') await page.getByText('This answer could not be completed').first().waitFor();
  else if (name !== 'empty')
    await page
      .locator(`article[data-role="${name === 'shared' ? 'summary' : 'assistant'}"]`)
      .first()
      .waitFor();
}

function conversation(name: ConversationName): Shot['reach'] {
  return (page, world) => open(page, world, name);
}

async function charted(page: Page, world: World, name: ConversationName): Promise<void> {
  await open(page, world, name);
  await page.locator('.highcharts-root').first().waitFor();
}

/** Conversations in all their states. */
export const talking: readonly Shot[] = [
  { name: 'conversations', reach: goTo('/conversations') },
  { name: 'conversation-new', reach: goTo('/conversations/new'), german: true },
  {
    name: 'conversation-new-connector',
    reach: (page, { orders }) => goTo(`/conversations/new?dataSources[]=${orders}`)(page),
  },
  { name: 'conversation-chart', reach: (page, world) => charted(page, world, 'chart'), german: true },
  { name: 'conversation-bars', reach: (page, world) => charted(page, world, 'bars') },
  { name: 'conversation-line', reach: (page, world) => charted(page, world, 'line') },
  { name: 'conversation-years', reach: (page, world) => charted(page, world, 'years') },
  { name: 'conversation-number', reach: conversation('number') },
  { name: 'conversation-table', reach: conversation('table') },
  { name: 'conversation-refused', reach: conversation('refused') },
  { name: 'conversation-failed', reach: conversation('failed') },
  { name: 'conversation-stopped', reach: conversation('stopped') },
  { name: 'conversation-running', busy: true, reach: conversation('running') },
  { name: 'conversation-long', reach: conversation('long') },
  { name: 'conversation-empty', reach: conversation('empty') },
  {
    name: 'conversation-shared',
    reach: async (page, world) => {
      await open(page, world, 'shared');
      await page.locator('.highcharts-root').first().waitFor();
    },
  },
  { name: 'conversation-archived', reach: conversation('archived') },
  {
    name: 'conversation-workings',
    reach: async (page, world) => {
      await charted(page, world, 'chart');
      await page
        .getByRole('button', { name: /How this was worked out/ })
        .first()
        .click();
    },
  },
  {
    name: 'conversation-figure',
    reach: async (page, world) => {
      await charted(page, world, 'chart');
      await page.locator('[data-figure]').first().click();
      await page.getByText(/^Row 1 of/).waitFor();
    },
  },
  {
    name: 'conversation-chart-table',
    reach: async (page, world) => {
      await charted(page, world, 'chart');
      await page.getByRole('radio', { name: 'Table' }).first().click();
    },
  },
  {
    name: 'conversation-menu',
    reach: async (page, world) => {
      await open(page, world, 'chart');
      await page.getByRole('button', { name: 'More actions', exact: true }).click();
    },
  },
  {
    name: 'conversation-view-menu',
    phone: true,
    reach: async (page, world) => {
      await open(page, world, 'chart');
      await page.getByRole('button', { name: /^View: / }).click();
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
    name: 'conversation-connectors',
    reach: async (page, world, phone) => {
      await open(page, world, 'chart');
      if (phone) {
        await page.getByRole('button', { name: /^View: / }).click();
        await page.getByRole('menuitemradio', { name: /Connectors/ }).click();
      } else await page.getByRole('tab', { name: /Connectors/ }).click();
    },
  },
  {
    name: 'conversation-summary',
    reach: async (page, world, phone) => {
      await open(page, world, 'chart');
      if (phone) {
        await page.getByRole('button', { name: /^View: / }).click();
        await page.getByRole('menuitemradio', { name: /Summary/ }).click();
      } else await page.getByRole('tab', { name: 'Summary' }).click();
      await page.getByText('Central has the highest').first().waitFor();
      await page.locator('.highcharts-root').first().waitFor();
    },
  },
  {
    name: 'conversation-picker',
    reach: async (page, world) => {
      await open(page, world, 'empty');
      await page
        .getByRole('button', { name: /Add Connector/i })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'conversation-picker-table',
    reach: async (page, world) => {
      await open(page, world, 'empty');
      await page
        .getByRole('button', { name: /Add Connector/i })
        .first()
        .click();
      await page.getByRole('dialog').getByRole('radio', { name: 'List', exact: true }).click();
    },
  },
  {
    name: 'conversation-delete',
    reach: async (page, world) => {
      await open(page, world, 'chart');
      await menuItem(page, 'Delete');
    },
  },
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
  {
    name: 'conversation-loading',
    busy: true,
    reach: async (page, world) => {
      await never(page, `**/discourse/conversations/${world.conversations.chart}*`);
      await page.goto(`/conversations/${world.conversations.chart}`);
      await page.locator('main').waitFor();
    },
  },
  {
    name: 'conversation-load-failed',
    reach: async (page, world) => {
      await refuse(page, `**/discourse/conversations/${world.conversations.chart}*`);
      await page.goto(`/conversations/${world.conversations.chart}`);
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
];
