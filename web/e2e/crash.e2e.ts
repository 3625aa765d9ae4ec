import { expect, test } from 'vitest';

import { read, until } from './api';
import { answers, conversationId, newConversation, send, squeeze } from './browser';
import { mara } from './people';
import { onStage } from './stage';

const stage = onStage();

test('kill -9 in mid-stream: what was shown is still there, and the turn ends honestly after the restart', async () => {
  const { page } = await stage.signedIn(mara);
  await newConversation(page, 'load-test');
  await send(page, 'rate=20 tokens=40000 seed=3');
  const id = await conversationId(page);
  const token = await stage.product.token(mara);
  await until('some text', async () => ((await answers(page))[0] ?? '').length > 300);

  await stage.product.kill();
  const shown = squeeze((await answers(page))[0] ?? '');
  await stage.product.boot();
  const restarted = Date.now();
  const done = await until('the end of the turn', async () => {
    const c = await read(stage.product, token, id);
    return !c.isStreaming && c;
  });
  const stored = done.messageSet.find((m) => m.role === 'assistant');
  expect(stored?.status).toBe('interrupted');
  expect(Date.now() - restarted).toBeLessThan(10_000);
  expect(squeeze(stored?.text ?? '').length).toBeGreaterThan(200);
  // The head of the message names the speaker and the time; the text follows.
  const text = shown.slice(shown.indexOf(squeeze(stored?.text ?? '').slice(0, 60)));
  expect(squeeze(stored?.text ?? '').startsWith(text.slice(0, 250))).toBe(true);

  await page.getByText('Interrupted').first().waitFor();
  await page.reload();
  await page.getByText('Interrupted').first().waitFor();
  await until('the stored text', async () =>
    squeeze((await answers(page))[0] ?? '').includes(squeeze(stored?.text ?? 'nothing')),
  );
  await page.getByRole('button', { name: 'Retry' }).waitFor();
});
