import type { Page } from 'playwright-core';

import type { Shot } from './shots';
import { empty, failing, goTo, goToText, loading, never, toGone } from './steps';

const admin = '/memories?tab=memories';
const memory = '**/memory/memories?*';
const feedback = '**/discourse/feedbacks?*';

/** Opens the menu of the first memory. */
async function menu(page: Page): Promise<void> {
  await goTo(admin)(page);
  await page
    .getByRole('button', { name: /^More actions for / })
    .first()
    .click();
  await page.getByRole('menuitem').first().waitFor();
}

/** The feedback on answers, and the memories of the assistant. */
export const memories: readonly Shot[] = [
  { name: 'memories', reach: goTo('/memories'), german: true },
  {
    name: 'memories-no-feedback',
    as: 'samir',
    reach: async (page) => {
      await empty(page, feedback);
      await goToText('/memories', 'No feedback')(page);
    },
  },
  {
    name: 'memories-feedback-narrowed',
    reach: goToText('/memories?search=quartz&filter=executive', 'No results found'),
  },
  { name: 'memories-feedback-failed', reach: failing('/memories', feedback) },
  {
    name: 'memories-feedback-loading',
    busy: true,
    reach: async (page) => {
      await never(page, feedback);
      await loading(page, '/memories', 'Loading feedback');
    },
  },
  {
    name: 'memories-admin',
    reach: async (page) => {
      await goTo('/memories')(page);
      await page.getByRole('tab', { name: 'Memory admin' }).click();
      await page.getByRole('article').first().waitFor();
    },
  },
  {
    name: 'memories-none',
    reach: async (page) => {
      await empty(page, memory);
      await goToText(admin, 'No memories')(page);
    },
  },
  { name: 'memories-narrowed', reach: goToText(`${admin}&search=quartz`, 'No results found') },
  { name: 'memories-failed', reach: failing(admin, memory) },
  {
    name: 'memories-loading',
    busy: true,
    reach: async (page) => {
      await never(page, memory);
      await loading(page, admin, 'Loading memories');
    },
  },
  { name: 'memories-menu', reach: menu },
  {
    name: 'memory-new',
    reach: async (page) => {
      await goTo(admin)(page);
      await page.getByRole('button', { name: 'Create Memory' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create Memory' }).click();
    },
  },
  {
    name: 'memory-edit',
    reach: async (page) => {
      await menu(page);
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'memory-discard',
    reach: async (page) => {
      await menu(page);
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('Another name');
      await page.keyboard.press('Escape');
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'memory-delete',
    reach: async (page) => {
      await menu(page);
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'feedback',
    reach: async (page, { conversations }) => {
      await goTo(`/memories/feedbacks/${conversations.feedback}`)(page);
      await page.locator('.highcharts-root').first().waitFor();
    },
  },
  {
    name: 'feedback-gone',
    reach: toGone('/memories/feedbacks/00000000-0000-4000-8000-000000000000'),
  },
  {
    name: 'feedback-failed',
    reach: (page, { conversations: { feedback: id } }) =>
      failing(`/memories/feedbacks/${id}`, `**/discourse/conversations/${id}?*`)(page),
  },
  {
    name: 'feedback-loading',
    busy: true,
    reach: async (page, { conversations: { feedback: id } }) => {
      await never(page, `**/discourse/conversations/${id}?*`);
      await loading(page, `/memories/feedbacks/${id}`, 'Loading the conversation');
    },
  },
];
