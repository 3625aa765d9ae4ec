import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { patterns } from '../src/lib/paths';
import { read, retailOrders, until } from './api';
import { serious } from './axe';
import { conversationId, send, signIn } from './browser';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

for (const [name, options] of [
  ['desktop, light', { width: 1440, height: 900, dark: false }],
  ['phone, dark', { width: 390, height: 844, dark: true }],
] as const) {
  test(`axe finds nothing serious: ${name}`, async () => {
    const { page, errors } = await stage.sit(options);
    await page.goto('/login');
    await page.getByRole('button', { name: 'Login' }).waitFor();
    const found = await serious(page, 'login');
    await signIn(page, mara);
    found.push(...(await serious(page, 'home')));
    await page.goto('/datasources');
    await page.getByText('Retail orders').first().waitFor();
    found.push(...(await serious(page, 'connectors')));
    const token = await stage.product.token(mara);
    const orders = await retailOrders(stage.product, token);
    await page.goto(`/datasource/${orders}`);
    await page.getByRole('grid').first().waitFor();
    found.push(...(await serious(page, 'connector')));
    await page.goto(`/conversations/new?dataSources[]=${orders}`);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    found.push(...(await serious(page, 'new conversation')));
    await send(page, 'net sales by region');
    const id = await conversationId(page);
    await until('the end', async () => {
      const c = await read(stage.product, token, id);
      return !c.isStreaming && c.messageSet.length > 1;
    });
    await page.locator('.highcharts-root').first().waitFor();
    found.push(...(await serious(page, 'conversation')));
    expect(found).toEqual([]);
    // Nothing is wider than the screen, also with a zoom of 400 %, and messages still have space then.
    for (const size of [options, { width: 320, height: 256 }]) {
      await page.setViewportSize(size);
      // A chart is drawn for its new width in the frame after the width has been observed.
      await until('nothing wider than the screen', () =>
        page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      );
      const room = await page.locator('[data-virtuoso-scroller="true"]').boundingBox();
      expect(room?.height).toBeGreaterThan(150);
    }
    expect(errors).toEqual([]);
  });
}

const signInPages: readonly string[] = [patterns.login, patterns.authorizing, patterns.unauthorized];

test('axe finds nothing serious at any address, light and dark', async () => {
  const { context, page, errors } = await stage.signedIn(mara);
  const token = await stage.product.token(mara);
  const first = async (path: string): Promise<string> => {
    const answer = await stage.product.call(token, 'GET', `${path}?page_size=1`);
    const { results } = (await answer.json()) as { results: { id: number | string }[] };
    return String(results[0]?.id ?? 1);
  };
  const made = await stage.product.call(token, 'POST', 'discourse/conversations', { name: 'Walked' });
  const ids: Record<string, string> = {
    conversationId: ((await made.json()) as { id: string }).id,
    blueprintId: await first('discourse/blueprints'),
    dataSourceId: String(await retailOrders(stage.product, token)),
    projectId: await first('discourse/projectlabels'),
    agentId: await first('analyst/analysts'),
    taskId: await first('discourse/scheduledtasks'),
  };
  // A new page has its pattern there, and is visited here. An optional end is left out.
  const addresses = Object.values(patterns)
    .filter((pattern) => !signInPages.includes(pattern))
    .map((pattern) =>
      pattern.replaceAll(/\/:?\w+\?/gu, '').replaceAll(/:(\w+)/gu, (_, name: string) => ids[name] ?? '1'),
    );
  const found: string[] = [];
  const left = [...new Set(addresses)];
  const inBothThemes = async (page: Page, what: string, practice = false): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // The theme follows the system a moment later; in between, parts of the page have the colours of the other
      // theme.
      await page.locator(`.radix-themes.${colorScheme}`).first().waitFor();
      await page.waitForFunction(() =>
        document.getAnimations().every((running) => !(running instanceof CSSTransition)),
      );
      // Names, roles and order are the same in both themes.
      const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
      found.push(...(await serious(page, `${what}, ${colorScheme}`, { rules, practice })));
    }
  };
  const walk = async (): Promise<void> => {
    const tab = await context.newPage();
    for (let address = left.shift(); address !== undefined; address = left.shift()) {
      await tab.goto(address);
      await tab.getByRole('heading', { level: 1 }).first().waitFor();
      await inBothThemes(tab, address, true);
      // On a phone a page that is wider than the screen could be moved sideways, and its dialogs would be out of sight.
      await tab.setViewportSize({ width: 390, height: 844 });
      const fits = tab.waitForFunction(
        () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
        undefined,
        { timeout: 10_000 },
      );
      await fits.catch(() => found.push(`${address} is wider than a phone`));
      await tab.setViewportSize({ width: 1440, height: 900 });
    }
    await tab.close();
  };
  await Promise.all([walk(), walk()]);
  // What opens above a page: menus and lists of choices.
  const opened: readonly [address: string, role: 'button' | 'combobox', name: RegExp][] = [
    [`/conversations/${ids['conversationId'] ?? ''}`, 'button', /^More actions$/],
    [`/conversations/${ids['conversationId'] ?? ''}`, 'combobox', /^Agent$/],
    ['/datasources', 'button', /^More actions for Retail orders$/],
    ['/datasources', 'combobox', /^Project$/],
    ['/account', 'combobox', /^Time period$/],
    ['/agents/new', 'combobox', /^LLM model/],
  ];
  for (const [address, role, name] of opened) {
    await page.goto(address);
    await page.getByRole(role, { name }).click();
    await page
      .getByRole(role === 'button' ? 'menuitem' : 'option')
      .first()
      .waitFor();
    await inBothThemes(page, `${address}, ${String(name)} open`);
  }
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
});
