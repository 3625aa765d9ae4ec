import type { Page } from 'playwright-core';

import { mara, samir, tomas } from '../../e2e/people';
import type { World } from './data';
import { connectors } from './shots-connectors';
import { editing } from './shots-editing';
import { goTo } from './steps';
import { keeping } from './shots-keeping';
import { talking } from './shots-talking';

/**
 * The people who view the pages: a superuser, a member, one without flags from another organisation, and a visitor
 * who is not signed in.
 */
export const people = {
  mara,
  tomas,
  samir,
  nobody: undefined,
} as const;

export type Person = keyof typeof people;

/** A screen in one state. */
export interface Shot {
  /** The name of its file. */
  name: string;
  /** The person who views it; a superuser if left out. */
  as?: Person;
  /** Opens the screen on a new page. */
  reach: (page: Page, world: World, phone: boolean) => Promise<unknown>;
  /** It shows a loading state: nothing is waited for. */
  busy?: true;
  /** It exists on phones only. */
  phone?: true;
  /** It is taken in German too. */
  german?: true;
  /** The height in pixels, if the picture shows more than a screen. */
  height?: number;
}

const around: readonly Shot[] = [
  { name: 'sign-in', as: 'nobody', reach: goTo('/login'), german: true },
  { name: 'sign-in-expired', as: 'nobody', reach: goTo('/login?code=S429') },
  {
    name: 'sign-in-provider',
    as: 'nobody',
    reach: async (page) => {
      await page.goto('/login');
      await page.getByRole('button', { name: 'Login' }).click();
      await page.locator('#login').waitFor();
    },
  },
  {
    name: 'sign-in-wrong',
    as: 'nobody',
    reach: async (page) => {
      await page.goto('/login');
      await page.getByRole('button', { name: 'Login' }).click();
      await page.locator('#login').fill(mara);
      await page.locator('#password').fill('wrong');
      await page.locator('#password').press('Enter');
      await page.locator('#password').waitFor();
    },
  },
  { name: 'unauthorized', as: 'nobody', reach: goTo('/unauthorized') },
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
  { name: 'not-found', reach: goTo('/nowhere'), german: true },
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

/** Every screen and state. */
export const shots: readonly Shot[] = [...around, ...talking, ...connectors, ...keeping, ...editing];
