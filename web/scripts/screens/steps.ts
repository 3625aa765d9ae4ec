import type { Page } from 'playwright-core';

/** Opens an address and waits for its first content. */
export function goTo(address: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.goto(address);
    await page.getByRole('heading').first().waitFor();
  };
}

/** Chooses an entry of the page's own menu. */
export async function menuItem(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Never answers calls: the page stays in its loading state. */
export async function never(page: Page, calls: string): Promise<void> {
  await page.route(calls, () => undefined);
}

/** Makes calls fail like those of a server with a problem. */
export async function refuse(page: Page, calls: string): Promise<void> {
  await page.route(calls, (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"message":"Try again later."}' }),
  );
}
