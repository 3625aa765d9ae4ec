import type { Shot } from './shots';
import { goTo } from './steps';

/** Projects, memories with feedback, the account and credentials. */
export const keeping: readonly Shot[] = [
  { name: 'projects', reach: goTo('/projects'), german: true },
  { name: 'project', reach: (page, { project }) => goTo(`/projects/${project}`)(page) },
  { name: 'project-edit', reach: (page, { project }) => goTo(`/projects/${project}/edit`)(page) },
  {
    name: 'project-new',
    reach: async (page) => {
      await goTo('/projects')(page);
      await page.getByRole('button', { name: 'Create Project' }).first().click();
    },
  },
  { name: 'memories', reach: goTo('/memories'), german: true },
  {
    name: 'memories-admin',
    reach: async (page) => {
      await goTo('/memories')(page);
      await page.getByRole('tab', { name: 'Memory admin' }).click();
      await page.getByRole('article').first().waitFor();
    },
  },
  {
    name: 'memory-new',
    reach: async (page) => {
      await goTo('/memories')(page);
      await page.getByRole('tab', { name: 'Memory admin' }).click();
      await page.getByRole('button', { name: 'Create Memory' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create Memory' }).click();
    },
  },
  {
    name: 'memory-edit',
    reach: async (page) => {
      await goTo('/memories')(page);
      await page.getByRole('tab', { name: 'Memory admin' }).click();
      await page
        .getByRole('button', { name: /^More actions for / })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'memory-delete',
    reach: async (page) => {
      await goTo('/memories')(page);
      await page.getByRole('tab', { name: 'Memory admin' }).click();
      await page
        .getByRole('button', { name: /^More actions for / })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
    },
  },
  {
    name: 'feedback',
    reach: async (page, { conversations }) => {
      await goTo(`/memories/feedbacks/${conversations.feedback}`)(page);
      await page.locator('.highcharts-root').first().waitFor();
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
    name: 'account-controls',
    reach: async (page) => {
      await goTo('/account')(page);
      await page.getByRole('tab', { name: 'Superuser Controls' }).click();
    },
  },
  { name: 'account-member', as: 'samir', reach: goTo('/account') },
  {
    name: 'cluster',
    reach: async (page) => {
      await goTo('/cluster')(page);
      await page.locator('.highcharts-root').nth(4).waitFor();
    },
    german: true,
  },
  { name: 'data-config', reach: goTo('/data-config') },
  {
    name: 'data-config-refused',
    reach: async (page) => {
      await goTo('/data-config')(page);
      await page.getByRole('button', { name: 'Submit' }).click();
    },
  },
];
