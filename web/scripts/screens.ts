import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { serious } from '../e2e/axe';
import { isStill, launch, login } from '../e2e/browser';
import { Product } from '../e2e/product';
import { prepare, type World } from './screens/data';
import { makeSheets } from './screens/sheets';
import { type Person, people, type Shot, shots } from './screens/shots';

/** One view of the product: window size, theme and language. */
interface View {
  width: number;
  height: number;
  dark: boolean;
  language: 'en' | 'de';
}

const views: Readonly<Record<string, View>> = {
  desktop: { width: 1440, height: 900, dark: false, language: 'en' },
  'desktop-dark': { width: 1440, height: 900, dark: true, language: 'en' },
  wide: { width: 1920, height: 1080, dark: false, language: 'en' },
  'wide-dark': { width: 1920, height: 1080, dark: true, language: 'en' },
  phone: { width: 390, height: 844, dark: false, language: 'en' },
  'phone-dark': { width: 390, height: 844, dark: true, language: 'en' },
  german: { width: 1440, height: 900, dark: false, language: 'de' },
  'german-phone': { width: 390, height: 844, dark: false, language: 'de' },
};

/** The number of pictures that are taken at once. */
const workers = 3;

const usage = `npm run screens -- <folder> [--view desktop,phone-dark] [--only home,agents] [--axe]
Takes pictures of every screen and state, with sheets of many in <folder>/sheets. Build first: make build.
With --axe it also checks each of them, and so every dialog and menu: by all rules in the light views, and by that of
contrast in the dark ones. What is serious or critical is printed, and it ends with 1.
Views: ${Object.keys(views).join(', ')}`;

/** Takes the pictures. Ends with 1 if a state could not be reached, or if axe has found something. */
export async function main(given: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { view: { type: 'string' }, only: { type: 'string' }, axe: { type: 'boolean', default: false } },
  });
  const [folder] = positionals;
  if (folder === undefined) throw new Error(usage);
  const chosen = values.view?.split(',') ?? Object.keys(views);
  const only = values.only?.split(',');
  const wanted = shots.filter(({ name }) => only?.some((start) => name.startsWith(start)) ?? true);

  const [product, browser] = await Promise.all([Product.start(), launch()]);
  let failed = 0;
  try {
    const world = await prepare(product);
    for (const name of chosen) {
      const view = views[name];
      if (view === undefined) throw new Error(`there is no view ${name}\n${usage}`);
      const target = path.resolve(folder, name);
      if (only === undefined) await rm(target, { recursive: true, force: true });
      await mkdir(target, { recursive: true });
      const mine = wanted.filter(
        (shot) =>
          (view.language === 'en' || shot.german === true) &&
          (shot.only === undefined || (shot.only === 'phone') === view.width < 500),
      );
      failed += await takeAll(browser, world, view, { mine, target, axe: values.axe });
      await makeSheets(
        browser,
        path.resolve(folder),
        name,
        view.width,
        mine.map((shot) => shot.name),
      );
      process.stdout.write(`${name}: ${mine.length} pictures\n`);
    }
  } finally {
    await browser.close();
    await product.stop();
  }
  if (failed > 0) process.exitCode = 1;
}

/** What is taken of a view. */
interface Wanted {
  mine: readonly Shot[];
  /** The folder of the pictures. */
  target: string;
  /** Axe checks each state, too. */
  axe: boolean;
}

/** Takes the pictures of a view. Returns the number of problems. */
async function takeAll(
  browser: Browser,
  world: World,
  view: View,
  { mine, target, axe }: Wanted,
): Promise<number> {
  let failed = 0;
  // One person after the other, each with a separate browser profile.
  await Promise.all(
    Object.entries(people).map(async ([person, email]) => {
      const theirs = mine.filter((shot) => (shot.as ?? 'mara') === (person as Person));
      if (theirs.length === 0) return;
      const context = await seat(browser, world, view);
      if (email === undefined) await speak(context, view.language);
      else await enter(context, email, view);
      const left = [...theirs];
      const worker = async (): Promise<void> => {
        for (let shot = left.shift(); shot !== undefined; shot = left.shift()) {
          const name = `${path.basename(target)} ${shot.name}`;
          const file = path.join(target, `${shot.name}.png`);
          const found = async (page: Page): Promise<string[]> => (axe ? checked(page, name, view) : []);
          const problems = await take(context, world, view, { shot, name, file, found });
          // At once: the pictures of all views take long.
          for (const problem of problems) process.stderr.write(`${problem}\n`);
          failed += problems.length;
        }
      };
      await Promise.all(Array.from({ length: workers }, worker));
      await context.close();
    }),
  );
  return failed;
}

async function seat(browser: Browser, world: World, view: View): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: world.product.url,
    viewport: { width: view.width, height: view.height },
    colorScheme: view.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    hasTouch: view.width < 500,
    // The scroll bars of a phone are above the page, and take no space from it.
    isMobile: view.width < 500,
  });
  // The showcase and the reference of the API, and a sign-in on a busy machine, take long.
  context.setDefaultTimeout(90_000);
  return context;
}

/** Signs a person in, and sets the language afterwards: the sign-in is operated by its English texts. */
async function enter(context: BrowserContext, email: string, view: View): Promise<void> {
  const page = await context.newPage();
  await page.goto('/');
  await login(page, email);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.evaluate((language) => localStorage.setItem('parley.language', language), view.language);
  await page.close();
}

/** Sets the language of a browser in which no one signs in. */
async function speak(context: BrowserContext, language: View['language']): Promise<void> {
  await context.addInitScript((to) => localStorage.setItem('parley.language', to), language);
}

/** Tabs are brought to the front one after the other: the image of a background tab may be outdated. */
let front: Promise<unknown> = Promise.resolve();

async function picture(page: Page, file: string): Promise<void> {
  const taken = front.then(async () => {
    await page.bringToFront();
    // Twice: the current frame has the old size.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await page.screenshot({ path: file, timeout: 60_000 });
  });
  front = taken.catch(() => undefined);
  await taken;
}

function firstLines(error: unknown): string {
  return (error as Error).message.split('\n').slice(0, 4).join(' ');
}

/** What axe finds in a state. Names, roles and order are the same in both themes. */
async function checked(page: Page, name: string, view: View): Promise<string[]> {
  return serious(page, name, { rules: view.dark ? ['color-contrast'] : undefined });
}

/** One picture. */
interface One {
  shot: Shot;
  /** The view and the state. */
  name: string;
  file: string;
  /** Checks the state that is in the picture. */
  found: (page: Page) => Promise<string[]>;
}

/** Takes one picture, also if the state was not reached; returns the problems. */
async function take(
  context: BrowserContext,
  world: World,
  view: View,
  { shot, name, file, found }: One,
): Promise<string[]> {
  const page = await context.newPage();
  const thrown: string[] = [];
  page.on('pageerror', (error) => thrown.push(error.message));
  try {
    if (shot.height !== undefined) await page.setViewportSize({ width: view.width, height: shot.height });
    await shot.reach(page, world, view.width < 500);
    if (shot.busy !== true) await settle(page);
  } catch (error) {
    thrown.push(firstLines(error));
  }
  const problems: string[] = [];
  try {
    await picture(page, file);
    problems.push(...(await found(page)));
  } catch (error) {
    thrown.push(firstLines(error));
  }
  await page.close();
  return thrown.length > 0 ? [`${name}: ${thrown.join(' | ')}`, ...problems] : problems;
}

/** Waits until everything has loaded and nothing moves. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.fonts.status === 'loaded');
  await page.waitForFunction(() => document.querySelector('.rt-Skeleton, [aria-busy="true"]') === null);
  await page.waitForFunction(isStill);
  // A transcript is hidden while its list arranges itself.
  await page.waitForFunction(
    () => document.querySelector('[role="feed"][style*="visibility: hidden"]') === null,
  );
  // A chart is drawn in the frame after its rows have arrived.
  await page.waitForTimeout(250);
}
