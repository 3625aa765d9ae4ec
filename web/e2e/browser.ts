import { existsSync } from 'node:fs';

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

import { until } from './api';
import type { Product } from './product';

// The first is Chromium without the parts that draw windows: the journeys take a third less of the processor with it.
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Starts the machine's Chromium without a window. */
export async function launch(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? places.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error('Chromium is missing; name it in CHROMIUM');
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** A person with their own browser profile. */
export interface Seat {
  context: BrowserContext;
  page: Page;
  /** What the page threw, and what its security policy refused. */
  errors: string[];
}

/** The settings of a browser profile: the screen, the theme, and the address if it is not the product's own. */
export interface SeatOptions {
  width?: number;
  height?: number;
  dark?: boolean;
  url?: string;
}

/** Opens a fresh browser profile on the product. */
export async function sit(browser: Browser, product: Product, options: SeatOptions = {}): Promise<Seat> {
  const context = await browser.newContext({
    // Another address than the product's own, if there is a proxy in between.
    baseURL: options.url ?? product.url,
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.dark === true ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  // A machine of two cores that does other work too is slow, not wrong.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  // A refusal by the page's security policy is an error of the page, or of the policy.
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) errors.push(message.text());
  });
  return { context, page, errors };
}

/** The address, the errors and the text of the page as they are now, for the log of a test that failed. */
export async function lastSeen({ page, errors }: Seat): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 5_000 });
  return [`▸ last seen at ${page.url()}`, ...errors, text.slice(0, 3_000)].join('\n');
}

/** Signs in through the redirect to the identity provider, as a person does. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await login(page, email);
  await page.getByRole('heading', { name: 'Ask your data anything' }).waitFor();
}

/** Continues from the sign-in page to the page that follows. */
export async function login(page: Page, email: string, password = 'parley'): Promise<void> {
  await page.getByRole('button', { name: 'Login' }).click();
  await page.locator('#login').fill(email);
  await page.locator('#password').fill(password);
  await page.locator('#password').press('Enter');
}

/** Opens a new conversation and chooses the agent. */
export async function newConversation(page: Page, agent?: string): Promise<void> {
  await page.goto('/conversations/new');
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  if (agent === undefined) return;
  await page.getByRole('combobox', { name: 'Agent' }).click();
  await page.getByRole('option', { name: agent }).click();
}

/** Types a prompt and sends it when the page knows that the last answer has ended. */
export async function send(page: Page, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message' });
  const button = page.getByRole('button', { name: 'Send', exact: true });
  await until('a send that is allowed', async () => {
    // A page that is opening a new conversation will replace its box in a moment.
    if ((await box.inputValue()) !== text) await box.fill(text);
    return (await button.count()) === 1 && (await button.isEnabled());
  });
  await box.press('Enter');
}

/** The text of the assistant's answers as shown, in order. */
export async function answers(page: Page): Promise<string[]> {
  return page.locator('article[data-role="assistant"]').allInnerTexts();
}

/** The id of the conversation that the page shows. */
export async function conversationId(page: Page): Promise<string> {
  await page.waitForURL(/\/conversations\/[0-9a-f-]{36}/);
  return /\/conversations\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
}

/** Markdown and layout change only the white space of the scripted texts: they are compared without it. */
export function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/** Whether nothing on the page moves by itself. It runs in the page. What follows a scroll position stands still. */
export function isStill(): boolean {
  return document.getAnimations().every(({ timeline }) => timeline !== document.timeline);
}
