import { expect, test } from 'vitest';

import { read, scriptedAgent, until } from './api';
import { serious } from './axe';
import { mara, tomas } from './people';
import { onStage } from './stage';

const stage = onStage();

/** Asks a question as Tomas, and gives the answer a thumb down with a reason. Returns the conversation. */
async function thumbDown(): Promise<string> {
  const token = await stage.product.token(tomas);
  const made = await stage.product.call(token, 'POST', 'discourse/conversations', {
    name: 'Returns',
    dataSources: [],
  });
  const { id } = (await made.json()) as { id: string };
  const analystId = await scriptedAgent(stage.product, token);
  const sent = await stage.product.call(token, 'POST', 'discourse/user-text', {
    conversationId: id,
    dataSources: [],
    message: { text: 'Say something.', analystId },
  });
  expect(sent.ok).toBe(true);
  const answer = await until('an answer', async () => {
    const { isStreaming, messageSet } = await read(stage.product, token, id);
    return !isStreaming && messageSet.find(({ role }) => role === 'assistant');
  });
  const given = await stage.product.call(token, 'PUT', `discourse/messages/${answer.id}/feedbacks`, {
    label: [12],
    comment: [{ text: 'The sum is off' }],
  });
  expect(given.ok).toBe(true);
  return id;
}

test('a thumb down with its reason is found, and read at its answer', async () => {
  const id = await thumbDown();
  const { page, errors } = await stage.signedIn(mara);
  await page.goto('/memories');
  await page.getByRole('combobox', { name: 'Sentiment' }).click();
  await page.getByRole('option', { name: 'Dislike (1)' }).click();
  await page.getByRole('combobox', { name: 'Label' }).click();
  await page.getByRole('option', { name: 'Wrong numbers' }).click();
  const row = page.getByRole('row', { name: /Returns/ });
  await row.getByText('The sum is off').waitFor();
  expect(await serious(page, 'feedback')).toEqual([]);
  await row.getByRole('link', { name: 'Returns' }).click();

  // Mara has no share of this conversation: she can read it because of the feedback, but only read.
  await page.getByRole('tab', { name: 'Analytics', selected: true }).waitFor();
  const note = page.getByRole('group', { name: 'Feedback of Tomas Okafor' });
  await note.getByText('Wrong numbers').waitFor();
  await note.getByText('The sum is off').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/memories/feedbacks/${id}`);
  expect(await page.getByRole('textbox').count()).toBe(0);
  expect(await serious(page, 'the conversation of a feedback')).toEqual([]);

  const gone = '01920000-0000-7000-8000-0000000000aa';
  await page.goto(`/memories/feedbacks/${gone}`);
  await page.getByText(`Feedbacks for conversation ${gone} not found`).waitFor();
  await page.waitForURL((url) => url.pathname === '/memories');
  expect(errors).toEqual([]);
});
