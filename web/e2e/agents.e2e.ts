import { expect, test } from 'vitest';

import { until } from './api';
import { serious } from './axe';
import { answers, login } from './browser';
import { mara, tomas } from './people';
import { onStage } from './stage';

const stage = onStage();

test('a superuser makes an agent, turns a specialist off, and tries it beside its editor', async () => {
  const { page, errors } = await stage.signedIn(mara);
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  await page.getByRole('link', { name: 'Create new' }).click();
  await page.getByRole('textbox', { name: /^Agent name/ }).fill('Brief');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL(/\/agents\/\d+\/edit$/);
  await page.getByText('Agent created successfully').waitFor();

  const steps = page.getByRole('navigation', { name: 'Steps' });
  await steps.getByRole('button', { name: /Summary specialist/ }).click();
  await page.getByRole('switch', { name: 'Summary specialist enabled' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('This step is turned off. Answers end without a summary.').waitFor();
  expect(await serious(page, 'editor')).toEqual([]);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Agent updated successfully').waitFor();

  await page.getByRole('button', { name: 'Try it' }).click();
  await page.waitForURL(/\/agents\/\d+\/edit\/conversation\/[0-9a-f-]{36}$/);
  await page.getByRole('textbox', { name: 'Question' }).waitFor();
  expect(await serious(page, 'trial')).toEqual([]);
  await page.getByRole('textbox', { name: 'Question' }).fill('hello');
  await page.getByRole('textbox', { name: 'Question' }).press('Enter');
  await until('an answer', async () => (await answers(page)).join('') !== '');

  // The setting is effective in the turn: it has no closing message.
  const id = page.url().split('/').at(-1) ?? '';
  const token = await stage.product.token(mara);
  const roles = await until('the end of the turn', async () => {
    const answer = await stage.product.call(token, 'GET', `discourse/conversations/${id}`);
    const { isStreaming, messageSet, status } = (await answer.json()) as {
      isStreaming: boolean;
      status: string;
      messageSet: { role: string }[];
    };
    return !isStreaming && messageSet.length > 1 && [status, ...messageSet.map(({ role }) => role)];
  });
  expect(roles[0]).toBe('archived');
  expect(roles).toContain('assistant');
  expect(roles).not.toContain('summary');
  expect(errors).toEqual([]);
});

test('nobody else has agents to keep', async () => {
  const { page } = await stage.sit();
  await page.goto('/agents');
  await login(page, tomas);
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
  expect(await page.getByRole('link', { name: 'Agents', exact: true }).count()).toBe(0);
});
