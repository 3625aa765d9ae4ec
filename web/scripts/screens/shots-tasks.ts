import type { Page } from 'playwright-core';

import type { Shot } from './shots';
import { askedByMenu, failing, goTo, goToText, loading, never, openMenu, toGone } from './steps';

const list = '**/discourse/scheduledtasks?*';

/** Opens the wizard of a new task. */
async function wizard(page: Page): Promise<void> {
  await goTo('/tasks')(page);
  await page.getByRole('button', { name: 'Schedule task' }).first().click();
  await page.getByRole('dialog').getByRole('radio').first().waitFor();
}

/** Its second step. */
async function when(page: Page): Promise<void> {
  await wizard(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /Weekly revenue check/ }).click();
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).waitFor();
}

/** Scheduled tasks: the list, one of them, the wizard and the dialogs. */
export const tasks: readonly Shot[] = [
  { name: 'tasks', reach: goTo('/tasks'), german: true },
  { name: 'tasks-none', as: 'elena', reach: goToText('/tasks', 'No scheduled tasks') },
  { name: 'tasks-no-archived', reach: goToText('/tasks?filter=archived', 'No archived tasks') },
  { name: 'tasks-nothing-found', reach: goToText('/tasks?search=quartz', 'No results found') },
  { name: 'tasks-failed', reach: failing('/tasks', list) },
  {
    name: 'tasks-loading',
    busy: true,
    reach: async (page) => {
      await never(page, list);
      await loading(page, '/tasks', 'Loading tasks');
    },
  },
  {
    name: 'tasks-menu',
    reach: async (page) => {
      await goTo('/tasks')(page);
      await page.getByRole('button', { name: 'More actions for Every morning' }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  { name: 'task', reach: (page, { task }) => goTo(`/tasks/${task}`)(page), german: true },
  {
    name: 'task-never-run',
    reach: async (page, { newTask }) => {
      await goTo(`/tasks/${newTask}`)(page);
      await page.getByText('It has not run yet.').scrollIntoViewIfNeeded();
    },
  },
  { name: 'task-broken', reach: (page, { brokenTask }) => goTo(`/tasks/${brokenTask}`)(page) },
  { name: 'task-of-another', reach: (page, { hisTask }) => goTo(`/tasks/${hisTask}`)(page) },
  {
    name: 'tasks-gone',
    reach: toGone('/tasks/00000000-0000-4000-8000-000000000000'),
  },
  {
    name: 'task-failed',
    reach: (page, { task }) => failing(`/tasks/${task}`, `**/discourse/scheduledtasks/${task}`)(page),
  },
  {
    name: 'task-loading',
    busy: true,
    reach: async (page, { task }) => {
      await never(page, `**/discourse/scheduledtasks/${task}`);
      await loading(page, `/tasks/${task}`, 'Loading task');
    },
  },
  {
    name: 'task-runs-failed',
    reach: async (page, { task }) => {
      await failing(`/tasks/${task}`, `**/discourse/scheduledtasks/${task}/runs?*`)(page);
      await page.getByText('The history could not be loaded').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'task-menu',
    reach: async (page, { task }) => {
      await goTo(`/tasks/${task}`)(page);
      await openMenu(page);
    },
  },
  {
    name: 'task-archive',
    reach: async (page, { hisTask }) => {
      await goTo(`/tasks/${hisTask}`)(page);
      await askedByMenu(page, 'Archive');
    },
  },
  {
    name: 'task-delete',
    reach: async (page, { task }) => {
      await goTo(`/tasks/${task}`)(page);
      await askedByMenu(page, 'Delete');
    },
  },
  { name: 'task-edit', reach: (page, { task }) => goTo(`/tasks/${task}/edit`)(page) },
  { name: 'task-wizard-1', reach: wizard },
  {
    name: 'task-wizard-1-refused',
    reach: async (page) => {
      await wizard(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Next' }).click();
      await page.getByText('Please select at least one icebreaker').waitFor();
    },
  },
  {
    name: 'task-wizard-2',
    reach: async (page) => {
      await when(page);
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Monday report');
    },
  },
  {
    name: 'task-wizard-2-refused',
    reach: async (page) => {
      await when(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Schedule task' }).click();
      await page.getByText('Please enter a valid name').waitFor();
    },
  },
];
