import type { Page } from 'playwright-core';

import type { Shot } from './shots';
import { goTo, never, refuse } from './steps';

async function newBlueprint(page: Page, step: number): Promise<void> {
  await goTo('/blueprints/new')(page);
  await page
    .getByLabel(/^Tit(le|el)/)
    .first()
    .fill('Region check');
  for (let at = 0; at < step; at += 1) await page.getByRole('button', { name: 'Next', exact: true }).click();
}

const agentSteps = [
  'Knowledge Base',
  'Chart specialist',
  'Connectors',
  'Insights specialist',
  'Summary specialist',
  'Access',
];

/** Blueprints, agents and tasks: lists, editors and wizards. */
export const editing: readonly Shot[] = [
  { name: 'blueprints', reach: goTo('/blueprints'), german: true },
  {
    name: 'blueprints-list',
    reach: async (page) => {
      await goTo('/blueprints')(page);
      await page.getByRole('radio', { name: 'List', exact: true }).click();
    },
  },
  {
    name: 'blueprints-loading',
    busy: true,
    reach: async (page) => {
      await never(page, '**/discourse/blueprints?*');
      await page.goto('/blueprints');
      await page.getByRole('heading', { name: 'Blueprints' }).waitFor();
    },
  },
  {
    name: 'blueprints-failed',
    reach: async (page) => {
      await refuse(page, '**/discourse/blueprints?*');
      await page.goto('/blueprints');
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  { name: 'blueprint-library', reach: goTo('/blueprint/library') },
  { name: 'blueprint', reach: (page, { blueprint }) => goTo(`/blueprints/${blueprint}`)(page), german: true },
  { name: 'blueprint-edit', reach: (page, { blueprint }) => goTo(`/blueprints/${blueprint}/edit`)(page) },
  {
    name: 'blueprint-start',
    reach: async (page, { withInputs }) => {
      await goTo(`/blueprints/${withInputs}`)(page);
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByRole('dialog').waitFor();
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
  { name: 'agents', reach: goTo('/agents'), german: true },
  {
    name: 'agents-table',
    reach: async (page) => {
      await goTo('/agents')(page);
      await page.getByRole('radio', { name: 'List', exact: true }).click();
    },
  },
  { name: 'agent-new', reach: goTo('/agents/new') },
  { name: 'agent', reach: (page, { agent }) => goTo(`/agents/${agent}`)(page) },
  { name: 'agent-edit-general', reach: (page, { agent }) => goTo(`/agents/${agent}/edit`)(page) },
  ...agentSteps.map((step): Shot => ({
    name: `agent-edit-${step.toLowerCase().replace(' ', '-')}`,
    reach: async (page, { agent }) => {
      await goTo(`/agents/${agent}/edit`)(page);
      await page
        .getByRole('navigation', { name: 'Steps' })
        .getByRole('button', { name: new RegExp(step) })
        .click();
    },
  })),
  {
    name: 'agent-turn-off',
    reach: async (page, { agent }) => {
      await goTo(`/agents/${agent}/edit`)(page);
      await page
        .getByRole('navigation', { name: 'Steps' })
        .getByRole('button', { name: /Insights/ })
        .click();
      await page.getByRole('switch', { name: 'Insights specialist enabled' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'agent-try',
    reach: async (page, { agent }) => {
      await goTo(`/agents/${agent}/edit`)(page);
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByRole('textbox', { name: 'Question' }).waitFor();
    },
  },
  { name: 'tasks', reach: goTo('/tasks'), german: true },
  { name: 'tasks-none', as: 'tomas', reach: goTo('/tasks') },
  { name: 'task', reach: (page, { task }) => goTo(`/tasks/${task}`)(page), german: true },
  { name: 'task-edit', reach: (page, { task }) => goTo(`/tasks/${task}/edit`)(page) },
  {
    name: 'task-wizard-1',
    reach: async (page) => {
      await goTo('/tasks')(page);
      await page.getByRole('button', { name: 'Schedule task' }).first().click();
      await page.getByRole('dialog').getByRole('radio').first().waitFor();
    },
  },
  {
    name: 'task-wizard-2',
    reach: async (page) => {
      await goTo('/tasks')(page);
      await page.getByRole('button', { name: 'Schedule task' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', { name: /Weekly revenue check/ }).click();
      await dialog.getByRole('button', { name: 'Next' }).click();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Monday report');
    },
  },
];
