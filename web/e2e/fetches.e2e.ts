import { beforeAll, expect, test } from 'vitest';

import { read, scriptedAgent, until } from './api';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();
let token: string;

beforeAll(async () => {
  token = await stage.product.token(mara);
});

/** Makes a conversation with an answer that has ended and was read. */
async function answered(name: string): Promise<string> {
  const made = await stage.product.call(token, 'POST', 'discourse/conversations', { name });
  const { id } = (await made.json()) as { id: string };
  const message = {
    id: crypto.randomUUID(),
    text: `rate=0 tokens=20 seed=1`,
    analystId: await scriptedAgent(stage.product, token),
  };
  const sent = await stage.product.call(token, 'POST', 'discourse/user-text', {
    conversationId: id,
    dataSources: [],
    message,
  });
  expect(sent.ok).toBe(true);
  await until('the end of the answer', async () => {
    const c = await read(stage.product, token, id);
    return !c.isStreaming && c.messageSet.some(({ role }) => role === 'assistant');
  });
  await stage.product.call(token, 'POST', `discourse/conversations/${id}/read`);
  return id;
}

/** Home, two conversations, blueprints and home again: data that were fetched once are not fetched again. */
test('each list is asked for once on the way through the pages', async () => {
  const ids = [await answered('First of two'), await answered('Second of two')];
  const { page, errors } = await stage.signedIn(mara);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' && pathname.startsWith('/api/') && !pathname.endsWith('/stream'))
      asked.push(pathname + search);
  });
  await page.goto('/home');
  const recent = page.getByRole('region', { name: 'Recent' });
  const home = async (): Promise<void> => {
    await page.getByRole('link', { name: 'Home', exact: true }).first().click();
    await page.waitForURL(/\/home/u);
    await recent.getByRole('link', { name: /First of two/u }).waitFor();
  };
  await recent.getByRole('link', { name: /First of two/u }).click();
  await page.waitForURL(`**/conversations/${ids[0]}*`);
  await page.locator('article[data-role="assistant"]').first().waitFor();
  await home();
  await recent.getByRole('link', { name: /Second of two/u }).click();
  await page.waitForURL(`**/conversations/${ids[1]}*`);
  await page.locator('article[data-role="assistant"]').first().waitFor();
  await page.getByRole('link', { name: 'Blueprints', exact: true }).click();
  await page.getByRole('article').first().waitFor();
  await home();
  await page.waitForLoadState('networkidle');

  const counts = new Map<string, number>();
  for (const url of asked) counts.set(url, (counts.get(url) ?? 0) + 1);
  expect([...counts].filter(([, times]) => times > 1)).toEqual([]);
  expect(errors).toEqual([]);
});
