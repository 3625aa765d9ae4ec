import { expect, test } from 'vitest';

import { read, retailOrders, scriptedAgent, until } from './api';
import { serious } from './axe';
import { conversationId, isStill, login } from './browser';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

test('begin with a proposed question, say what one thinks, name it, file it, and find it again', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const token = await stage.product.token(mara);
  await page.goto(`/conversations/new?dataSources[]=${await retailOrders(stage.product, token)}`);
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('and by month');
  await page.getByRole('button', { name: 'What is in this data?' }).click();
  const id = await conversationId(page);
  await until('the end', async () => {
    const c = await read(stage.product, token, id);
    return !c.isStreaming && c.messageSet.some((m) => m.role === 'assistant');
  });
  // What was being typed is still there.
  expect(await box.inputValue()).toBe('and by month');

  // A reason or a comment belongs to a bad answer; the given feedback is there after a reload.
  const bad = page.getByRole('button', { name: 'Bad answer' });
  await bad.click();
  const form = page.getByRole('dialog', { name: 'What is wrong with it?' });
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('Please select a option or leave a comment').waitFor();
  await form.getByText('Wrong numbers').click();
  await form.getByRole('textbox', { name: 'Comment' }).fill('March is missing');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.waitFor({ state: 'detached' });
  await page.reload();
  await until('the feedback', async () => (await bad.getAttribute('aria-pressed')) === 'true');
  expect(await page.getByRole('button', { name: 'Good answer' }).isDisabled()).toBe(true);

  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Quartz and feldspar');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Quartz and feldspar' }).waitFor();
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Add to project' }).click();
  const projects = page.getByRole('dialog', { name: 'Add to project' });
  await projects.getByRole('checkbox').first().click();
  expect(await serious(page, 'projects')).toEqual([]);
  const project = (await projects.locator('label').first().innerText()).trim();
  await projects.getByRole('button', { name: 'Save' }).click();
  await projects.waitFor({ state: 'detached' });
  await page.locator('header').getByText(project).waitFor();
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: /^Copy of Quartz/ }).waitFor();

  // The search finds entries that are not in the shown list, and says if there are none.
  const search = page.getByRole('textbox', { name: 'Search conversations' });
  await search.fill('feldspar');
  const found = page.getByRole('list', { name: 'Conversations found' }).getByRole('link');
  await until('both', async () => (await found.count()) === 2);
  await search.fill('feldspar and gold');
  await page.getByText('No results found').waitFor();
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await page.getByRole('list', { name: 'All conversations' }).waitFor();

  // When a session ends on the server, nothing is lost: the person returns to the same page.
  await page.locator(`a[href*="${id}"]`).click();
  await until('what was being typed', async () => (await box.inputValue()) === 'and by month');
  const bearer = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith('oidc.user:')) ?? '';
    return (JSON.parse(localStorage.getItem(key) ?? '{}') as { access_token?: string }).access_token ?? '';
  });
  await stage.product.call(bearer, 'POST', 'user/me/logout');
  await page.getByText('Your session has expired').waitFor();
  await login(page, mara);
  await page.waitForURL(new RegExp(`/conversations/${id}`));
  await until('what was being typed', async () => (await box.inputValue()) === 'and by month');
  expect(await page.title()).toBe('Quartz and feldspar · Parley');
  expect(errors).toEqual([]);
});

test('twenty conversations stream at once and the page stays responsive', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const token = await stage.product.token(mara);
  const analystId = await scriptedAgent(stage.product, token);
  const ids = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const answer = await stage.product.call(token, 'POST', 'discourse/conversations', {
        name: `Stream ${i}`,
      });
      const made = (await answer.json()) as { id: string };
      const message = { id: crypto.randomUUID(), text: `rate=30 tokens=20000 seed=${i}`, analystId };
      await stage.product.call(token, 'POST', 'discourse/user-text', {
        conversationId: made.id,
        dataSources: [],
        message,
      });
      return made.id;
    }),
  );
  await page.goto(`/conversations/${ids[0] ?? ''}`);
  await until('the spinners', async () => (await page.getByText('Assistant is working').count()) >= 10);
  // People who prefer reduced motion see no motion, and no flicker instead.
  await until('no motion', () => page.evaluate(isStill));
  // Move from one to the next while all of them stream: each shows its own text at once.
  for (const [i, id] of ids.slice(0, 6).entries()) {
    await page.locator(`a[href*="${id}"]`).first().click();
    await page.getByRole('heading', { name: `Stream ${i}`, exact: true }).waitFor();
    await page.locator('article[data-role="assistant"]').first().waitFor();
  }
  // Typing is handled between two frames, not after a batch of tokens.
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.pressSequentially('still here', { delay: 20 });
  await until('what was typed', async () => (await box.inputValue()) === 'still here');
  await Promise.all(
    ids.map((id) =>
      stage.product.call(token, 'POST', 'analyst/process-control/stop-process-in-redis', {
        conversation_id: id,
      }),
    ),
  );
  await until('all ends', async () =>
    (await Promise.all(ids.map((id) => read(stage.product, token, id)))).every((c) => !c.isStreaming),
  );
  await until(
    'the end of the spinners',
    async () => (await page.getByText('Assistant is working').count()) === 0,
  );
  expect(errors).toEqual([]);
});

test('a link leads to the beginning of its message, also on a slow computer', async () => {
  const token = await stage.product.token(mara);
  const analystId = await scriptedAgent(stage.product, token);
  const made = await stage.product.call(token, 'POST', 'discourse/conversations', { name: 'Linked' });
  const { id } = (await made.json()) as { id: string };
  // With many different heights, so that the position of a message cannot be estimated from the others.
  for (const [turn, tokens] of [150, 150, 150, 600, 600].entries()) {
    const message = { id: crypto.randomUUID(), text: `turn ${turn} rate=0 tokens=${tokens}`, analystId };
    await stage.product.call(token, 'POST', 'discourse/user-text', {
      conversationId: id,
      dataSources: [],
      message,
    });
    await until('the end', async () => !(await read(stage.product, token, id)).isStreaming);
  }
  const message = (await read(stage.product, token, id)).messageSet[7]?.id ?? '';

  const { context, page, errors } = await stage.signedIn(mara);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto(`/conversations/${id}?message_id=${message}`);
  // The view of a reader at the upper edge: the name of the agent, and right below it the beginning of the
  // highlighted message.
  const seen = (): Promise<boolean> =>
    page.evaluate((linked) => {
      const list = document.querySelector('[data-virtuoso-scroller="true"]');
      const article = document.querySelector<HTMLElement>(`article[data-message-id="${linked}"]`);
      const header = article?.closest('[data-turn]')?.querySelector('header');
      if (!list || !article || !header || article.dataset['highlighted'] !== 'true') return false;
      const [edge, top] = [list.getBoundingClientRect().top, article.getBoundingClientRect().top];
      return header.getBoundingClientRect().top >= edge && top > edge && top < edge + 80;
    }, message);
  // It must stay there for half a second: while the messages above are measured, it may move past this position.
  let held = 0;
  await until(
    'the message at the upper edge',
    async () => (held = (await seen()) ? held + 1 : 0) > 5,
    30_000,
  );
  expect(errors).toEqual([]);
});
