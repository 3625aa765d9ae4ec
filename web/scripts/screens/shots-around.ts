import type { Page } from 'playwright-core';

import { mara } from '../../e2e/people';
import type { Shot } from './shots';
import { failing, goTo, loading, never, refuse } from './steps';

/** Opens the sign-in page of the identity provider. */
async function atProvider(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Login' }).click();
  await page.locator('#login').waitFor();
}

/** Sign-in, home, the parts around every page, and the pages of errors. */
export const around: readonly Shot[] = [
  { name: 'sign-in', as: 'nobody', reach: goTo('/login'), german: true },
  { name: 'sign-in-expired', as: 'nobody', reach: goTo('/login?code=S429') },
  { name: 'sign-in-provider', as: 'nobody', reach: atProvider },
  {
    name: 'sign-in-wrong',
    as: 'nobody',
    reach: async (page) => {
      await atProvider(page);
      await page.locator('#login').fill(mara);
      await page.locator('#password').fill('wrong');
      await page.locator('#password').press('Enter');
      await page.locator('#password').waitFor();
    },
  },
  {
    name: 'authorizing',
    as: 'nobody',
    busy: true,
    reach: async (page) => {
      // The answer of the provider is read by a library, which never arrives.
      await never(page, '**/assets/oidc-*.js');
      await page.goto('/authorizing?code=some&state=some');
      await page.getByText('Signing you in').waitFor();
    },
  },
  { name: 'unauthorized', as: 'nobody', reach: goTo('/unauthorized') },
  { name: 'unreachable', reach: failing('/home', '**/api/v1/user/me') },
  { name: 'assets-failed', reach: failing('/datasources', '**/memory/datasources?*') },
  {
    name: 'assets-loading',
    busy: true,
    reach: async (page) => {
      await never(page, '**/memory/datasources?*');
      await page.goto('/datasources');
      await page.getByText('Loading').waitFor();
    },
  },
  {
    name: 'error-page',
    reach: async (page) => {
      await page.route('**/assets/projects-page-*.js', (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          body: 'export function Component() { throw new TypeError("colors is not iterable"); }',
        }),
      );
      await page.goto('/projects');
      await page.getByText('Details', { exact: true }).click();
    },
  },
  {
    name: 'error-page-unreachable',
    reach: async (page) => {
      await page.route('**/assets/projects-page-*.js', (route) => route.abort());
      await page.goto('/projects');
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  { name: 'not-found', reach: goTo('/nowhere'), german: true },
  {
    name: 'connection-lost',
    busy: true,
    reach: async (page, world) => {
      let sockets = 0;
      // The first is closed, and the next ones stay silent: the page tries again for half a minute.
      await page.routeWebSocket('**/stream', (socket) => {
        sockets += 1;
        if (sockets === 1) void socket.close({ code: 1011 });
      });
      await page.goto(`/conversations/${world.conversations.chart}`);
      await page.getByText('Lost connection to server').waitFor();
      await page.locator('.highcharts-root').first().waitFor();
    },
  },
  { name: 'home', reach: goTo('/home'), german: true },
  { name: 'home-blueprints', reach: goTo('/home?activeTab=blueprint') },
  { name: 'home-connectors', reach: goTo('/home?activeTab=datasource') },
  {
    name: 'home-chosen',
    reach: async (page) => {
      await goTo('/home?activeTab=datasource')(page);
      await page
        .getByRole('button', { name: /^Retail orders/ })
        .first()
        .click();
    },
  },
  { name: 'home-member', as: 'samir', reach: goTo('/home') },
  {
    name: 'sidebar-narrow',
    only: 'desktop',
    reach: async (page) => {
      await goTo('/home')(page);
      await page.getByRole('button', { name: 'Collapse sidebar' }).click();
      await page.getByRole('link', { name: 'Connectors' }).hover();
      await page.getByRole('tooltip').first().waitFor();
    },
  },
  {
    name: 'sidebar-wide',
    only: 'desktop',
    reach: async (page) => {
      await goTo('/datasources')(page);
      await page.getByRole('button', { name: 'Expand sidebar' }).click();
    },
  },
  {
    name: 'palette',
    reach: async (page) => {
      await goTo('/home')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'palette-found',
    reach: async (page) => {
      await goTo('/home')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('re');
      await page.getByRole('option', { name: /Retail orders/ }).waitFor();
    },
  },
  {
    name: 'palette-said',
    reach: async (page) => {
      await goTo('/home')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('net sales');
      await page.getByRole('group', { name: 'Said in conversations' }).waitFor();
    },
  },
  {
    name: 'keys',
    reach: async (page) => {
      await goTo('/conversations')(page);
      await page.locator('main').focus();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'menu',
    reach: async (page, _, phone) => {
      await goTo('/home')(page);
      if (phone) await page.getByRole('button', { name: 'Open menu' }).click();
      else await page.getByRole('button', { name: /appearance and more/ }).click();
    },
  },
  {
    name: 'cluster',
    reach: async (page) => {
      await goTo('/cluster')(page);
      await page.locator('.highcharts-root').nth(4).waitFor();
    },
    german: true,
  },
  { name: 'cluster-failed', reach: failing('/cluster', '**/cluster/nodes') },
  {
    name: 'cluster-failed-since',
    reach: async (page) => {
      await goTo('/cluster')(page);
      await page.locator('.highcharts-root').nth(4).waitFor();
      await refuse(page, '**/cluster/nodes');
      await page.getByText(/cannot be loaded at present/).waitFor();
    },
  },
  {
    name: 'cluster-loading',
    busy: true,
    reach: async (page) => {
      await never(page, '**/cluster/nodes');
      await loading(page, '/cluster', 'The nodes are loaded');
    },
  },
  {
    name: 'components',
    height: 5000,
    busy: true,
    reach: async (page) => {
      await goTo('/components')(page);
      await page.locator('.highcharts-root').nth(5).waitFor();
      await page.waitForTimeout(1000);
    },
  },
  {
    name: 'reference',
    reach: async (page) => {
      await page.goto('/api-reference');
      await page.locator('#operations-tag-user').waitFor();
    },
  },
];
