import type { Page, Request, WebSocket } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { read, until } from './api';
import { answers, conversationId, newConversation, send, signIn, sit, squeeze } from './browser';
import { elena, mara, samir, tomas } from './people';
import { onStage } from './stage';

/** The life of a bearer in this test, in seconds. A page renews it when a third of that is left. */
const bearerSeconds = 60;

const stage = onStage(() => ({ PARLEY_BEARER_SECONDS: String(bearerSeconds) }));

/** The actions of a page to stay signed in. */
interface Watched {
  sockets: WebSocket[];
  renewals: number;
  /** Conversations that were fetched completely. */
  fetched: string[];
}

function watch(page: Page): Watched {
  const seen: Watched = { sockets: [], renewals: 0, fetched: [] };
  page.on('websocket', (socket) => seen.sockets.push(socket));
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname === '/dex/token' && renews(response.request()) && response.ok()) seen.renewals++;
  });
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    // A list requests a page of one message.
    if (search === '?message_page_size=1') return;
    if (/\/discourse\/conversations\/[0-9a-f-]{36}$/.test(pathname)) seen.fetched.push(pathname);
  });
  return seen;
}

function renews(request: Request): boolean {
  return request.postData()?.includes('refresh_token') === true;
}

/** The bearer that the page uses now. */
function bearerOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith('oidc.user:'));
    const kept = JSON.parse(localStorage.getItem(key ?? '') ?? '{}') as { access_token?: string };
    return kept.access_token ?? '';
  });
}

/** Opens an event stream with a bearer, like a script; `end` is the code with which the server ends it. */
async function openStream(token: string): Promise<{ end: Promise<number> }> {
  const me = (await (await stage.product.call(token, 'GET', 'user/me')).json()) as { uuid: string };
  const answer = await fetch(`${stage.product.url}/api/v1/user/${me.uuid}/stream`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  });
  if (!answer.ok) throw new Error(`stream: ${answer.status}`);
  const end = answer.text().then((text) => {
    const close = /event: close\ndata: (.*)\n/.exec(text)?.[1];
    return (JSON.parse(close ?? '{}') as { code?: number }).code ?? 0;
  });
  return { end };
}

// Each test uses a different person: a log-out ends all sessions of a person if the provider sends no session id.
describe.concurrent('a sign-in whose bearers live for a minute', () => {
  test('lasts over several renewals, in the middle of an answer, and nothing is lost', async () => {
    const { context, page, errors } = await sit(stage.browser, stage.product);
    const seen = watch(page);
    await signIn(page, mara);
    await newConversation(page, 'load-test');
    const { end } = await openStream(await bearerOf(page));
    // The first renewal comes too late: the provider cannot be reached until the server has ended the bearer's
    // streams, those of the page and of the script.
    const late = { tried: 0, ended: false };
    void end.then(() => (late.ended = true));
    await page.route('**/dex/token', async (route) => {
      if (late.ended || !renews(route.request())) {
        await route.continue();
        return;
      }
      late.tried++;
      await route.abort();
    });
    await send(page, 'rate=20 tokens=2800 seed=5');
    const id = await conversationId(page);
    await until('three renewals', () => Promise.resolve(seen.renewals >= 3), 240_000);
    await until(
      'the end of the answer',
      async () => (await page.getByRole('button', { name: 'Stop' }).count()) === 0,
    );

    // The server told a script that its bearer, and not its session, had ended.
    expect(await end).toBe(4402);
    const stored = await read(stage.product, await bearerOf(page), id);
    const text = stored.messageSet.find((m) => m.role === 'assistant')?.text ?? '';
    expect(text.length).toBeGreaterThan(10_000);
    await until('the whole answer on the page', async () =>
      squeeze((await answers(page)).join('')).includes(squeeze(text)),
    );
    expect(late.tried).toBeGreaterThan(1);
    // It was never fetched again: the new sockets continued from the position of the old ones.
    expect(seen.fetched.length).toBeLessThanOrEqual(1);
    expect(await page.getByText(/connection|expired/i).count()).toBe(0);
    expect(seen.sockets.length).toBeLessThanOrEqual(2 + seen.renewals);
    expect(page.url()).toContain(id);
    expect(errors).toEqual([]);
    await context.close();
  });

  test('ends with 4401 when it is logged out, and the page says so', async () => {
    const { context, page } = await sit(stage.browser, stage.product);
    const seen = watch(page);
    await signIn(page, tomas);
    const token = await bearerOf(page);
    const { end } = await openStream(token);
    await until('a socket', () => Promise.resolve(seen.sockets.length > 0));
    // From another client, so that this page is only notified.
    expect((await stage.product.call(token, 'POST', 'user/me/logout')).ok).toBe(true);
    expect(await end).toBe(4401);
    await page.waitForURL(/\/login\?code=E401/);
    await page.getByText('Your session has expired').waitFor();
    await context.close();
  });

  test('ends at the sign-in page when the provider does not renew it, and comes back to where it was', async () => {
    const { context, page } = await sit(stage.browser, stage.product);
    await signIn(page, elena);
    await page.goto('/datasources');
    await page.getByRole('heading', { name: 'Connectors' }).waitFor();
    await page.route('**/dex/token', (route) =>
      route.fulfill({ status: 400, contentType: 'application/json', body: '{"error":"invalid_grant"}' }),
    );
    await page.waitForURL(/\/login\?code=E401/, { timeout: bearerSeconds * 2_000 });
    await page.getByText('Your session has expired').waitFor();
    await page.unroute('**/dex/token');
    await page.getByRole('button', { name: 'Login' }).click();
    await page.locator('#login').fill(elena);
    await page.locator('#password').fill('parley');
    await page.locator('#password').press('Enter');
    await page.waitForURL(/\/datasources/);
    await context.close();
  });

  test('lasts over a sleep that is longer than the bearer', async () => {
    const { context, page } = await sit(stage.browser, stage.product);
    const seen = watch(page);
    await page.clock.install();
    await signIn(page, samir);
    const renewals = seen.renewals;
    await page.clock.fastForward('02:00:00');
    await until('a renewal', () => Promise.resolve(seen.renewals > renewals));
    await newConversation(page, 'load-test');
    await send(page, 'rate=200 tokens=50 seed=7');
    await conversationId(page);
    await until('an answer', async () => ((await answers(page))[0] ?? '').length > 100);
    expect(page.url()).not.toContain('/login');
    await context.close();
  });
});
