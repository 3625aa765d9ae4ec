import { expect, test } from 'vitest';

import { type ApiMessage, read, until } from './api';
import { answers, conversationId, newConversation, send, squeeze } from './browser';
import { elena, mara } from './people';
import { onStage } from './stage';

const stage = onStage();

/** A small file of sales whose sums are easy to check by hand. */
const sales = ['Day,Shop,Product,Units,Revenue']
  .concat(
    ['Lisbon', 'Porto', 'Faro'].flatMap((shop, s) =>
      Array.from({ length: 40 }, (_, i) => {
        const day = new Date(Date.UTC(2025, i % 12, 1 + (i % 28))).toISOString().slice(0, 10);
        return `${day},${shop},${i % 2 === 0 ? 'Tea' : 'Coffee'},${i + 1},${(s + 1) * (i + 1)}.50`;
      }),
    ),
  )
  .join('\n');

test('first sign-in to first chart', async () => {
  const { page, errors } = await stage.signedIn(mara);

  await page.getByRole('button', { name: 'Add connector' }).click();
  await page
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'shop sales.csv', mimeType: 'text/csv', buffer: Buffer.from(sales) });
  const dialog = page.getByRole('dialog');
  await until(
    'the proposed description',
    async () => (await dialog.getByLabel('Description').inputValue()) !== '',
  );
  await dialog.getByRole('button', { name: /Add/ }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Start with 1 connector' }).click();

  await send(page, 'total revenue by shop');
  await page.locator('.highcharts-root').first().waitFor();
  // The page of the new conversation has replaced the one on which the question was typed: typing continues there.
  const box = page.getByRole('textbox', { name: 'Message' });
  await until('the focus', () => box.evaluate((element) => element === element.ownerDocument.activeElement));
  const id = await conversationId(page);
  const token = await stage.product.token(mara);
  const done = await until('the end', async () => {
    const c = await read(stage.product, token, id);
    return !c.isStreaming && c;
  });
  const spoken = done.messageSet.find((m: ApiMessage) => m.role === 'assistant')?.text ?? '';
  // Faro sells 3 × (1 + … + 40) and 40 halves.
  expect(spoken).toContain('Faro');
  expect(spoken).toContain('2,480');
  await until('the whole answer on the page', async () => (await answers(page)).join('').includes('2,480'));
  // A number that is not in a cell can be pointed at as well, and shows how it was calculated.
  await page.locator('[data-figure]').filter({ hasText: '%' }).first().click();
  await page.getByText(/added up over the 3 rows of Total revenue by shop/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Summary' }).click();
  await page.locator('article[data-role="summary"]').waitFor();
  // A person who watched the answer has nothing unread, also on the server.
  await until('the read mark', async () => {
    const list = await stage.product.call(token, 'GET', 'discourse/conversations');
    const { results } = (await list.json()) as { results: { id: string; unreadMessages: number }[] };
    return results.find((c) => c.id === id)?.unreadMessages === 0;
  });
  expect(errors).toEqual([]);
});

test('stop in mid-stream puts the prompt back in the draft, and what was shown stays', async () => {
  const { page } = await stage.signedIn(mara);
  await newConversation(page, 'load-test');
  const prompt = 'rate=20 tokens=20000 seed=11';
  await send(page, prompt);
  const id = await conversationId(page);
  await until('some text', async () => ((await answers(page))[0] ?? '').length > 200);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped before it was finished').waitFor();
  const box = page.getByRole('textbox', { name: 'Message' });
  await until('the prompt in the draft', async () => (await box.inputValue()) === prompt);

  const token = await stage.product.token(mara);
  const stored = (await read(stage.product, token, id)).messageSet.find((m) => m.role === 'assistant');
  expect(stored?.status).toBe('stopped');
  await until('what was stored on the page', async () =>
    squeeze((await answers(page)).join('')).includes(squeeze(stored?.text ?? 'nothing')),
  );
});

test('rewind takes the prompt and what followed away, for good', async () => {
  const { page } = await stage.signedIn(mara);
  await newConversation(page, 'load-test');
  await send(page, 'first rate=0 tokens=20 seed=1');
  const id = await conversationId(page);
  const token = await stage.product.token(mara);
  await until('the first end', async () => !(await read(stage.product, token, id)).isStreaming);
  await send(page, 'second rate=0 tokens=20 seed=2');
  await until('the second end', async () => {
    const c = await read(stage.product, token, id);
    return !c.isStreaming && c.messageSet.filter((m) => m.role === 'user').length === 2;
  });
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  await page.locator('[data-turn]').nth(1).getByRole('button', { name: 'Turn actions' }).click();
  await page.getByRole('menuitem', { name: /Rewind/ }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /Rewind/ })
    .click();
  await until('the cut', async () => (await page.locator('article[data-role="user"]').count()) === 1);
  const box = page.getByRole('textbox', { name: 'Message' });
  await until('the prompt in the draft', async () => (await box.inputValue()).includes('second'));
  await page.reload();
  await page.locator('article[data-role="user"]').first().waitFor();
  expect(await page.locator('article[data-role="user"]').count()).toBe(1);
  expect((await read(stage.product, token, id)).messageSet.map((m) => m.text).join()).not.toContain('second');
});

test('a reload in mid-stream, and a second tab, continue without a gap or a repeat', async () => {
  const { context, page } = await stage.signedIn(mara);
  await newConversation(page, 'load-test');
  await send(page, 'rate=40 tokens=320 seed=5');
  const id = await conversationId(page);
  await until('some text', async () => ((await answers(page))[0] ?? '').length > 100);

  const tab = await context.newPage();
  await tab.goto(`/conversations/${id}`);
  await page.reload();
  const token = await stage.product.token(mara);
  const done = await until('the end', async () => {
    const c = await read(stage.product, token, id);
    return !c.isStreaming && c;
  });
  const text = squeeze(done.messageSet.find((m) => m.role === 'assistant')?.text ?? 'nothing');
  expect(text.length).toBeGreaterThan(1000);
  for (const [name, where] of [
    ['reloaded', page],
    ['second', tab],
  ] as const) {
    await until(`the whole text in the ${name} tab`, async () =>
      squeeze((await answers(where)).join('')).includes(text),
    );
  }
});

test('somebody of another organisation gets 404 on everything', async () => {
  const token = await stage.product.token(mara);
  const made = (await (
    await stage.product.call(token, 'POST', 'discourse/conversations', { name: 'Ours' })
  ).json()) as { id: string };
  const sources = (await (await stage.product.call(token, 'GET', 'memory/datasources')).json()) as {
    results: { id: number }[];
  };
  const prompt = { id: crypto.randomUUID(), text: 'rate=0 tokens=5' };
  await stage.product.call(token, 'POST', 'discourse/user-text', {
    conversationId: made.id,
    dataSources: [],
    message: prompt,
  });
  const me = (await (await stage.product.call(token, 'GET', 'user/me')).json()) as { uuid: string };

  const other = await stage.product.token(elena);
  const message = { id: crypto.randomUUID(), text: 'hello' };
  for (const [method, path, body] of [
    ['GET', `discourse/conversations/${made.id}`, undefined],
    ['PATCH', `discourse/conversations/${made.id}`, { name: 'Theirs' }],
    ['PUT', `discourse/conversations/${made.id}/favorite`, { is_favorite: true }],
    ['POST', `discourse/conversations/${made.id}/rewind`, { message_id: prompt.id }],
    ['GET', `discourse/conversations/${made.id}/data-sources`, undefined],
    ['PATCH', `user/me/conversations/${made.id}/status`, { status: 'archived' }],
    ['GET', `discourse/conversationpermissions?conversation_id=${made.id}`, undefined],
    ['PUT', `discourse/conversations/${made.id}/actors`, { users: [{ id: 4, permission: 'read' }] }],
    ['POST', 'analyst/process-control/stop-process-in-redis', { conversation_id: made.id }],
    ['POST', 'discourse/user-text', { conversationId: made.id, dataSources: [], message }],
    ['GET', `discourse/messages/${prompt.id}`, undefined],
    ['GET', `memory/datasources/${sources.results[0]?.id ?? 0}`, undefined],
    ['GET', `user/${me.uuid}/stream`, undefined],
    ['DELETE', `discourse/conversations/${made.id}?push_to_redis=true`, undefined],
  ] as const) {
    const answer = await stage.product.call(other, method, path, body);
    expect(`${method} ${path}: ${answer.status}`).toBe(`${method} ${path}: 404`);
  }
  const list = (await (
    await stage.product.call(other, 'GET', 'discourse/conversations?page_size=1000')
  ).json()) as { results: { id: string }[] };
  expect(list.results.map((c) => c.id)).not.toContain(made.id);

  const { page } = await stage.signedIn(elena);
  await page.goto(`/conversations/${made.id}`);
  await page
    .getByText(/not found/i)
    .first()
    .waitFor();
});
