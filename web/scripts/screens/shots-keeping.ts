import type { Page } from 'playwright-core';

import type { Shot } from './shots';
import { alter, askedByMenu, empty, failing, goTo, goToText, keep, loading, never } from './steps';

const usage = '**/llm-statistics/usage-report?*';
const credits = '**/llm-statistics/credits-info';

async function controls(page: Page): Promise<void> {
  await goTo('/account')(page);
  await page.getByRole('tab', { name: 'Superuser Controls' }).click();
}

/** Projects, the account and credentials. */
export const keeping: readonly Shot[] = [
  { name: 'projects', reach: goTo('/projects'), german: true },
  {
    name: 'projects-none',
    reach: async (page) => {
      await empty(page, '**/discourse/projectlabels?*');
      await goToText('/projects', 'No projects')(page);
    },
  },
  { name: 'projects-nothing-found', reach: goToText('/projects?search=quartz', 'No results found') },
  { name: 'projects-failed', reach: failing('/projects', '**/discourse/projectlabels?*') },
  {
    name: 'projects-loading',
    busy: true,
    reach: async (page) => {
      await never(page, '**/discourse/projectlabels?*');
      await loading(page, '/projects', 'Loading projects');
    },
  },
  {
    name: 'projects-menu',
    reach: async (page) => {
      await goTo('/projects')(page);
      await page
        .getByRole('button', { name: /^More actions for / })
        .first()
        .click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  { name: 'project', reach: (page, { project }) => goTo(`/projects/${project}`)(page) },
  {
    name: 'project-empty',
    reach: async (page) => {
      await goTo('/projects')(page);
      const cards = page.getByRole('article').filter({ hasText: 'No conversations' });
      await cards.first().getByRole('link').click();
      await page.getByText('No conversation is in this project.').waitFor();
    },
  },
  {
    name: 'project-parts-failed',
    reach: (page, { project }) =>
      failing(`/projects/${project}`, `**/discourse/conversations?*project*=${project}*`)(page),
  },
  { name: 'project-edit', reach: (page, { project }) => goTo(`/projects/${project}/edit`)(page) },
  {
    name: 'project-delete',
    reach: async (page, { project }) => {
      await goTo(`/projects/${project}`)(page);
      await askedByMenu(page, 'Delete');
    },
  },
  { name: 'project-gone', reach: goToText('/projects/999999', 'Project not found') },
  {
    name: 'project-failed',
    reach: (page, { project }) => failing(`/projects/${project}`, '**/discourse/projectlabels?*')(page),
  },
  {
    name: 'project-new',
    reach: async (page) => {
      await goTo('/projects')(page);
      await page.getByRole('button', { name: 'Create Project' }).first().click();
    },
  },
  { name: 'account', reach: goTo('/account'), german: true },
  {
    name: 'account-projects',
    reach: async (page) => {
      await goTo('/account')(page);
      await page.getByRole('tab', { name: 'By Project' }).click();
    },
  },
  {
    name: 'account-people',
    reach: async (page) => {
      await goTo('/account')(page);
      await page.getByRole('tab', { name: 'By User' }).click();
    },
  },
  {
    name: 'account-personal',
    reach: async (page) => {
      await goTo('/account?personal=true&period=last_3_months')(page);
      await page.locator('.highcharts-root').first().waitFor();
    },
  },
  {
    name: 'account-limited',
    reach: async (page) => {
      await alter(page, credits, () => ({
        plan: 'limited',
        availableCredits: 260,
        totalCredits: 1000,
        totalTokensCredit: 740,
      }));
      await goToText('/account', 'Credits of your organization')(page);
    },
  },
  { name: 'account-controls', reach: controls },
  {
    name: 'account-controls-debug',
    reach: async (page) => {
      await keep(page, 'parley.debug', 'true');
      await controls(page);
    },
  },
  { name: 'account-member', as: 'samir', reach: goTo('/account') },
  { name: 'account-failed', reach: failing('/account', credits) },
  {
    name: 'account-loading',
    busy: true,
    reach: async (page) => {
      await never(page, credits);
      await goTo('/account')(page);
      await page.locator('.rt-Skeleton').first().waitFor();
    },
  },
  { name: 'account-usage-failed', reach: failing('/account', usage) },
  {
    name: 'account-usage-loading',
    busy: true,
    reach: async (page) => {
      await never(page, usage);
      await goToText('/account', 'Organization wide usage')(page);
    },
  },
  { name: 'data-config', reach: goTo('/data-config') },
  {
    name: 'data-config-refused',
    reach: async (page) => {
      await goTo('/data-config')(page);
      await page.getByRole('button', { name: 'Submit' }).click();
    },
  },
  {
    name: 'data-config-done',
    reach: async (page) => {
      await goTo('/data-config')(page);
      await page.getByRole('textbox', { name: 'Name' }).fill('Warehouse key');
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'key.json', mimeType: 'application/json', buffer: Buffer.from('{"key":1}') });
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.getByText('Thank you.').waitFor();
    },
  },
];
