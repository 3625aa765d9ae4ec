import type { Page } from 'playwright-core';

/** Opens an address and waits for what it shows first. */
export function goTo(address: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.goto(address);
    await page.getByRole('heading').first().waitFor();
  };
}

/** Chooses something of the page's own menu. */
export async function menuItem(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Lets calls wait for ever: the page goes on loading. */
export async function never(page: Page, calls: string): Promise<void> {
  await page.route(calls, () => undefined);
}

/** Lets calls fail as a server does that is in trouble. */
export async function refuse(page: Page, calls: string): Promise<void> {
  await page.route(calls, (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"message":"Try again later."}' }),
  );
}
