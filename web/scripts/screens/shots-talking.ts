import type { Page } from 'playwright-core';

import type { ConversationName } from './data-conversations';
import type { World } from './data';
import type { Shot } from './shots';
import { alter, empty, failing, goTo, goToText, keep, loading, never, refuse, toGone } from './steps';

/** Opens a conversation and waits for an answer in it. */
export async function open(page: Page, world: World, name: ConversationName): Promise<void> {
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

/** Opens a conversation and waits for the chart of its answer. */
export async function charted(page: Page, world: World, name: ConversationName): Promise<void> {
  await open(page, world, name);
  await page.locator('.highcharts-root').first().waitFor();
}

/** The texts of a question back, as a model sends them. */
const question = 'What is the total by region?';
const back =
  'There are two numbers that can be added up. Which total do you mean?\n\nYou could answer:\n\n' +
  '- Total net sales by region\n- Total units by region';

/** The list of conversations, and conversations in all their states. */
export const talking: readonly Shot[] = [
  { name: 'conversations', reach: goTo('/conversations') },
  {
    name: 'conversations-first',
    as: 'samir',
    reach: async (page) => {
      await empty(page, '**/discourse/conversations?*');
      await goToText('/conversations', 'Conversations that you start')(page);
    },
  },
  {
    name: 'conversations-no-favorite',
    as: 'samir',
    reach: goToText('/conversations?filter=favorite', 'Mark a conversation with the star'),
  },
  {
    name: 'conversations-no-archived',
    as: 'samir',
    reach: goToText('/conversations?filter=archived', 'Conversations that you archive'),
  },
  {
    name: 'conversations-nothing-found',
    reach: goToText('/conversations?search=quartz', 'Change search request and try again'),
  },
  {
    name: 'conversations-said',
    german: true,
    reach: async (page) => {
      await page.goto('/conversations?search=net%20sales');
      await page
        .locator('section section')
        .getByRole('link', { name: /net sales/u })
        .first()
        .waitFor();
    },
  },
  {
    name: 'conversations-loading',
    busy: true,
    reach: async (page) => {
      await never(page, '**/discourse/conversations?*');
      await loading(page, '/conversations', 'Loading conversations');
    },
  },
  {
    name: 'conversations-selected',
    german: true,
    reach: async (page) => {
      await goTo('/conversations')(page);
      const rows = page.locator('[data-conversation]');
      await rows.nth(0).click({ modifiers: ['Shift'] });
      await rows.nth(2).click({ modifiers: ['Shift'] });
      await page.getByRole('checkbox', { checked: true }).nth(2).waitFor();
    },
  },
  { name: 'conversations-failed', reach: failing('/conversations', '**/discourse/conversations?*') },
  {
    name: 'conversations-gone',
    reach: toGone('/conversations/00000000-0000-4000-8000-000000000000'),
  },
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
  {
    name: 'conversation-asks-back',
    reach: async (page, world) => {
      // The planner has no such question: only models ask in this way.
      await alter(page, `**/discourse/conversations/${world.conversations.refused}?*`, ({ messageSet }) => ({
        name: question,
        messageSet: (messageSet as { role: string }[])
          .filter(({ role }) => role === 'user' || role === 'assistant')
          .map((message) =>
            message.role === 'user'
              ? { ...message, text: question }
              : { ...message, text: back, annotation: { part: 'answer', grade: 'asked' } },
          ),
      }));
      await open(page, world, 'refused');
      await page.getByRole('button', { name: 'Total units by region' }).waitFor();
    },
  },
  {
    name: 'conversation-assumed',
    height: 1600,
    reach: async (page, world) => {
      await open(page, world, 'assumed');
      await page.getByRole('list', { name: 'What the answer took' }).waitFor();
      await page.getByRole('button', { name: /what was checked$/ }).click();
    },
  },
  {
    name: 'conversation-corrected',
    height: 1600,
    reach: async (page, world) => {
      await open(page, world, 'corrected');
      await page.getByText('Said.', { exact: true }).waitFor();
    },
  },
  { name: 'conversation-failed', reach: conversation('failed') },
  { name: 'conversation-stopped', reach: conversation('stopped') },
  {
    name: 'conversation-running',
    busy: true,
    reach: async (page, world) => {
      await world.answering('running');
      await open(page, world, 'running');
    },
  },
  {
    name: 'conversation-waiting',
    busy: true,
    reach: async (page, world) => {
      await world.answering('waiting');
      await open(page, world, 'waiting');
      await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
      await page.getByRole('textbox', { name: 'Message' }).fill('And which of these regions grew the most?');
      await page.getByRole('button', { name: 'Send when this answer is done' }).click();
      await page.getByText('Sends when this answer is done').waitFor();
    },
  },
  { name: 'conversation-long', reach: conversation('long') },
  { name: 'conversation-empty', reach: conversation('empty') },
  { name: 'conversation-shared', reach: (page, world) => charted(page, world, 'shared') },
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
    name: 'conversation-object-failed',
    reach: async (page, world) => {
      await refuse(page, '**/discourse/displayobjects/*/content*');
      await open(page, world, 'chart');
      await page.getByText('could not be loaded.').first().waitFor();
    },
  },
  {
    name: 'conversation-debug',
    reach: async (page, world) => {
      await keep(page, 'parley.debug', 'true');
      await charted(page, world, 'chart');
      await page.getByText('Raw chart data').first().click();
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
