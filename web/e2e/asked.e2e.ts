import { expect, test } from 'vitest';

import { read, until, upload } from './api';
import { serious } from './axe';
import { asked, Model } from './model';
import { mara } from './people';
import { onStage } from './stage';

const choices = ['Total revenue by region', 'Total quantity by region'];

/** A model that asks back, and answers with a query whose total is wrong at first. */
const stage = onStage(async (opened) => {
  const starting = Model.start((messages) => {
    const question = asked(messages);
    const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
    const told = since.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
    if (!choices.some((choice) => question.includes(choice)))
      return { tool: { name: 'ask_person', args: { question: 'Which total?', options: choices } } };
    const query = (sql: string) => ({ tool: { name: 'run_query', args: { sql, title: 'Revenue' } } });
    // Each sale is there once for each visit of its region.
    if (told.length === 0)
      return query(
        'SELECT s.region, sum(s.revenue) AS revenue FROM sales s JOIN visits v ON lower(v.region) = lower(s.region) GROUP BY 1',
      );
    if (told.length === 1) return query('SELECT region, sum(revenue) AS revenue FROM sales GROUP BY 1');
    return { text: 'North leads.' };
  });
  const { url } = await opened(starting);
  return { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm', OPENAI_API_KEY: 'k' };
});

const sales = ['sale_id,region,revenue', '1,North,3', '2,South,4', '3,North,5'].join('\n');
const visits = ['visit_id,region', '1,North', '2,North', '3,South', '4,South'].join('\n');

test('a model asks back, is answered by a button, mends a wrong total, and the answer says what was checked', async () => {
  const { page, errors } = await stage.signedIn(mara);
  const token = await stage.product.token(mara);
  const dataSources: number[] = [];
  for (const [name, text] of [
    ['sales', sales],
    ['visits', visits],
  ] as const) {
    const fields = { name, description: name, scope: 'user', type: 'csv' };
    dataSources.push(await upload(stage.product, token, { name: `${name}.csv`, text }, fields));
  }
  const made = await stage.product.call(token, 'POST', 'discourse/conversations', {
    name: 'Sales',
    dataSources,
  });
  const { id: conversation } = (await made.json()) as { id: string };
  const settled = async (prompts: number) =>
    until('an answer', async () => {
      const { messageSet, isStreaming } = await read(stage.product, token, conversation);
      const sent = messageSet.filter(({ role }) => role === 'user').map(({ text }) => text);
      return !isStreaming && sent.length === prompts && sent;
    });
  await stage.product.call(token, 'POST', 'discourse/user-text', {
    conversationId: conversation,
    message: { text: 'What is the total by region?' },
    dataSources,
  });
  await settled(1);
  await page.goto(`/conversations/${conversation}`);
  const turns = page.locator('[data-turn]');
  await turns.first().getByText('Asked', { exact: true }).waitFor();
  await turns.first().getByRole('button', { name: 'Total revenue by region' }).click();
  expect(await settled(2)).toEqual(['What is the total by region?', 'Total revenue by region']);

  const answer = turns.nth(1);
  await answer.getByText('North leads.').first().waitFor();
  const grade = answer.getByRole('button', { name: 'Certain: what was checked' });
  await grade.click();
  await answer.getByRole('list', { name: 'What was checked' }).getByText('passed').first().waitFor();
  expect(await serious(page, 'answer of a model')).toEqual([]);
  const { messageSet } = await read(stage.product, token, conversation);
  expect(messageSet.filter(({ text }) => text.includes('the result is not shown'))).toHaveLength(1);
  expect(errors).toEqual([]);
});
