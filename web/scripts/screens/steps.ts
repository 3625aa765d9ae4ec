import type { Page } from 'playwright-core';

/** Opens an address and waits for its first content. */
export function goTo(address: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.goto(address);
    await page.getByRole('heading').first().waitFor();
  };
}

/** Opens an address and waits for a text on it. */
export function goToText(address: string, text: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.goto(address);
    await page.getByText(text).first().waitFor();
  };
}

/** Opens an address of something that does not exist, which leads elsewhere, with a message. */
export function toGone(address: string): (page: Page) => Promise<void> {
  return async (page) => {
    await goToText(address, 'not found')(page);
    // While the pointer is on it, the message stays.
    await page.getByText('not found').first().hover();
  };
}

/** Opens the page's own menu. */
export async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem').first().waitFor();
}

/** Chooses an entry of the page's own menu. */
export async function menuItem(page: Page, name: string): Promise<void> {
  await openMenu(page);
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Chooses an entry of the page's own menu, and waits for the dialog that it opens. */
export async function askedByMenu(page: Page, name: string): Promise<void> {
  await menuItem(page, name);
  await page.locator('[role="dialog"], [role="alertdialog"]').first().waitFor();
}

/** Waits for the spinner or the placeholders of a page that never gets its answer. */
export async function loading(page: Page, address: string, label: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel(label, { exact: true }).first().waitFor();
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

/** Makes the calls of an address fail, and opens what the page shows instead. */
export function failing(address: string, calls: string): (page: Page) => Promise<void> {
  return async (page) => {
    await refuse(page, calls);
    await page.goto(address);
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
  };
}

/** Changes the answers of calls, for states that the sample data do not have. */
export async function alter(
  page: Page,
  calls: string,
  change: (answer: Record<string, unknown>) => object,
): Promise<void> {
  await page.route(calls, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as Record<string, unknown>;
    await route.fulfill({ response, json: { ...answer, ...change(answer) } });
  });
}

/** Answers calls for a list as if there were no entries. */
export async function empty(page: Page, calls: string): Promise<void> {
  await alter(page, calls, ({ pagination }) => ({
    results: [],
    pagination: { ...(pagination as object), count: 0, next: null },
  }));
}

/**
 * Sets a value of the browser's storage for this page only: pages that are opened at the same time share their
 * storage.
 */
export async function keep(page: Page, key: string, value: string): Promise<void> {
  await page.addInitScript(
    ([name, held]) => {
      // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called on a storage below
      const own = Storage.prototype.getItem;
      Storage.prototype.getItem = function get(asked: string) {
        return asked === name ? held : own.call(this, asked);
      };
    },
    [key, value] as const,
  );
}
