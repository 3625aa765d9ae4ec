import type { Page } from 'playwright-core';

import type { Shot } from './shots';
import { askedByMenu, failing, goTo, goToText, loading, never, openMenu } from './steps';

/** Agents to administer; the list of those that can be asked belongs to every page. */
const list = '**/analyst/analysts?*filter_enabled=false*';

const steps = [
  'Knowledge Base',
  'Chart specialist',
  'Connectors',
  'Insights specialist',
  'Summary specialist',
  'Access',
];

/** Opens a step of the editor of an agent. */
async function editStep(page: Page, agent: number, step: string): Promise<void> {
  await goTo(`/agents/${agent}/edit`)(page);
  await page
    .getByRole('navigation', { name: 'Steps' })
    .getByRole('button', { name: new RegExp(step) })
    .click();
}

/** A dialog of the menu of an agent. */
function dialog(name: string, entry: string): Shot {
  return {
    name: `agent-${name}`,
    reach: async (page, { ownAgent }) => {
      await goTo(`/agents/${ownAgent}`)(page);
      await askedByMenu(page, entry);
    },
  };
}

/** Agents: the list, one of them, its editor and its dialogs. */
export const agents: readonly Shot[] = [
  { name: 'agents', reach: goTo('/agents'), german: true },
  {
    name: 'agents-table',
    reach: async (page) => {
      await goTo('/agents')(page);
      await page.getByRole('radio', { name: 'List', exact: true }).click();
    },
  },
  {
    name: 'agents-none-shared',
    reach: goToText('/agents?filter=shared', 'Agents that others share with you'),
  },
  { name: 'agents-nothing-found', reach: goToText('/agents?search=quartz', 'No results found') },
  { name: 'agents-failed', reach: failing('/agents', list) },
  {
    name: 'agents-loading',
    busy: true,
    reach: async (page) => {
      await never(page, list);
      await loading(page, '/agents', 'Loading agents');
    },
  },
  {
    name: 'agents-menu',
    reach: async (page) => {
      await goTo('/agents')(page);
      await page.getByRole('button', { name: 'More actions for Sales review' }).click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  { name: 'agent-new', reach: goTo('/agents/new') },
  {
    name: 'agent-refused',
    reach: async (page) => {
      await goTo('/agents/new')(page);
      await page.getByRole('textbox', { name: /^Agent name/ }).fill('A');
      await page.getByRole('textbox', { name: /^Agent name/ }).fill('');
      await page.getByRole('textbox', { name: /^Description/ }).fill('For the weekly review.');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('Enter agent name').waitFor();
    },
  },
  { name: 'agent', reach: (page, { agent }) => goTo(`/agents/${agent}`)(page) },
  {
    name: 'agent-own',
    reach: async (page, { ownAgent }) => {
      await goTo(`/agents/${ownAgent}`)(page);
      await page.getByRole('button', { name: 'Shared with Tomas Okafor' }).waitFor();
    },
  },
  { name: 'agent-gone', reach: goToText('/agents/999999', 'Agent not found') },
  {
    name: 'agent-failed',
    reach: (page, { ownAgent }) => failing(`/agents/${ownAgent}`, `**/analyst/analysts/${ownAgent}`)(page),
  },
  {
    name: 'agent-loading',
    busy: true,
    reach: async (page, { ownAgent }) => {
      await never(page, `**/analyst/analysts/${ownAgent}`);
      await loading(page, `/agents/${ownAgent}`, 'Loading the agent');
    },
  },
  {
    name: 'agent-menu',
    reach: async (page, { ownAgent }) => {
      await goTo(`/agents/${ownAgent}`)(page);
      await openMenu(page);
    },
  },
  {
    name: 'agent-menu-default',
    reach: async (page, { agent }) => {
      await goTo(`/agents/${agent}`)(page);
      await openMenu(page);
    },
  },
  dialog('disable', 'Disable'),
  dialog('delete', 'Delete'),
  {
    name: 'agent-shared',
    reach: async (page, { ownAgent }) => {
      await goTo(`/agents/${ownAgent}`)(page);
      await page.getByRole('button', { name: 'Shared with Tomas Okafor' }).click();
      await page.getByRole('dialog').getByText('Tomas Okafor').waitFor();
    },
  },
  { name: 'agent-edit-general', reach: (page, { agent }) => goTo(`/agents/${agent}/edit`)(page) },
  {
    name: 'agent-models',
    reach: async (page, { ownAgent }) => {
      await goTo(`/agents/${ownAgent}/edit`)(page);
      await page.getByRole('combobox', { name: /^LLM model/ }).click();
      await page.getByRole('option').first().waitFor();
    },
  },
  ...steps.map((step): Shot => ({
    name: `agent-edit-${step.toLowerCase().replace(' ', '-')}`,
    reach: (page, { agent }) => editStep(page, agent, step),
  })),
  {
    name: 'agent-edit-own-access',
    reach: async (page, { ownAgent }) => {
      await editStep(page, ownAgent, 'Access');
      await page.getByText('Tomas Okafor').first().waitFor();
    },
  },
  {
    name: 'agent-turn-off',
    reach: async (page, { agent }) => {
      await editStep(page, agent, 'Insights');
      await page.getByRole('switch', { name: 'Insights specialist enabled' }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'agent-turned-off',
    reach: async (page, { agent }) => {
      await editStep(page, agent, 'Insights');
      await page.getByRole('switch', { name: 'Insights specialist enabled' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
      await page.getByText('This step is turned off.').waitFor();
    },
  },
  {
    name: 'agent-unsaved',
    reach: async (page, { ownAgent }) => {
      await goTo(`/agents/${ownAgent}/edit`)(page);
      await page.getByRole('textbox', { name: /^Agent name/ }).fill('Review of sales');
      await page.getByRole('button', { name: 'Cancel' }).click();
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
];
