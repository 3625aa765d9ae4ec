import { errors as playwrightErrors, type Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { read, until, upload } from './api';
import { signIn } from './browser';
import { hostile } from './hostile-strings';
import { asked, Model } from './model';
import { mara } from './people';
import { onStage } from './stage';

/** The strings, in messages of fifty: with more, a folded message would cut some off. */
const parts = [0, 50, 100].map((from) => hostile.slice(from, from + 50).join('\n\n'));

const stage = onStage(async (opened) => {
  const starting = Model.start((messages) => {
    const part = parts[Number(/part (\d)/.exec(asked(messages))?.[1] ?? -1)];
    if (part !== undefined) return { text: part };
    const called = messages.filter(({ role }) => role === 'tool').length;
    const title = hostile[6] ?? '';
    if (called === 0) return { tool: { name: 'run_query', args: { sql: 'SELECT * FROM cells', title } } };
    if (called === 1) return { tool: { name: 'make_chart', args: { kind: 'bar', title } } };
    if (called === 2) return { tool: { name: 'save_file', args: { name: `${title}.csv` } } };
    return { text: 'Here it is.' };
  });
  const { url } = await opened(starting);
  return { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm', OPENAI_API_KEY: 'k' };
});
let token: string;

beforeAll(async () => {
  token = await stage.product.token(mara);
});

/**
 * A browser page that records which scripts run, which requests go to other servers, and what the security policy
 * refused.
 */
async function watched(): Promise<{ page: Page; harm: () => Promise<string[]> }> {
  const { context, page, errors } = await stage.sit();
  const found: string[] = [];
  await context.exposeBinding('__harm', (_, what: string) => found.push(what));
  await context.addInitScript(() => {
    Object.defineProperty(window, '__pwned', {
      set: () => (window as unknown as { __harm: (what: string) => void }).__harm('a script ran'),
    });
  });
  page.on('dialog', (dialog) => {
    found.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(stage.product.url) && !/^(data|blob):/.test(url)) found.push(`request ${url}`);
  });
  await signIn(page, mara);
  return {
    page,
    harm: async () => {
      // After this, pending tasks, frames and failed images have been handled.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
      return [...found, ...errors];
    },
  };
}

const bare = (text: string) => text.replaceAll(/\s+/g, '').toLowerCase();

/** The text of the page, without white space. */
async function shown(page: Page): Promise<string> {
  return bare(await page.locator('body').innerText());
}

/** Scrolls through a list until each of the names has been seen as text; returns those that were not. */
async function unseen(page: Page, names: readonly string[]): Promise<string[]> {
  const left = new Set(names.map(bare));
  const further = page
    .getByRole('button', { name: 'Next page', disabled: false })
    .or(page.getByRole('button', { name: 'Load More', disabled: false }));
  // A list that shows nothing new in 20 rounds is at its end.
  for (let still = 0; still < 20 && left.size > 0; still++) {
    const before = left.size;
    const text = await shown(page);
    for (const name of left) if (text.includes(name)) left.delete(name);
    if (left.size < before) still = 0;
    await page.mouse.wheel(0, 400);
    if (still > 5 && (await further.count()) > 0) {
      // A list that has come to its end meanwhile has disabled the button: then the next look decides.
      await further
        .first()
        .click({ timeout: 10_000 })
        .catch((error: unknown) => {
          if (!(error instanceof playwrightErrors.TimeoutError)) throw error;
        });
      await page.mouse.wheel(0, -100_000);
      still = 0;
    }
    await page.waitForTimeout(20);
  }
  return [...left];
}

/** Makes one of each string, a few at a time, and returns the names that they were given. */
async function makeAll(make: (text: string, index: number) => Promise<Response>): Promise<string[]> {
  const names: string[] = [];
  for (let from = 0; from < hostile.length; from += 10) {
    const answers = await Promise.all(hostile.slice(from, from + 10).map((text, i) => make(text, from + i)));
    for (const answer of answers) {
      const body = (await answer.json()) as { name?: string };
      if (!answer.ok || body.name === undefined) throw new Error(`${answer.status}: ${JSON.stringify(body)}`);
      names.push(body.name);
    }
  }
  return names;
}

/** Makes a separate connector from a file of rows. */
async function connector(name: string, rows: readonly (readonly string[])[]): Promise<number> {
  const lines = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
  const file = { name: `${name}.csv`, text: lines.join('\n') };
  return upload(stage.product, token, file, { name, description: hostile[0] ?? '' });
}

/** The id of a blueprint without inputs, so that it can be scheduled. */
async function blueprint(): Promise<number> {
  const [name] = hostile;
  const steps = [{ name, detailedInstructions: 'Say hello.', order: 1 }];
  const body = { name, description: name, initialMessage: name, steps };
  const made = await stage.product.call(token, 'POST', 'discourse/blueprints', body);
  if (!made.ok) throw new Error(`${made.status}: ${await made.text()}`);
  return ((await made.json()) as { id: number }).id;
}

/** Starts a conversation, sends each text when the answer before has ended, and returns its id. */
async function conversation(name: string, dataSources: number[], texts: readonly string[]): Promise<string> {
  const made = await stage.product.call(token, 'POST', 'discourse/conversations', { name });
  const { id } = (await made.json()) as { id: string };
  for (const text of texts) {
    const message = { id: crypto.randomUUID(), text };
    const sent = await stage.product.call(token, 'POST', 'discourse/user-text', {
      conversationId: id,
      dataSources,
      message,
    });
    if (!sent.ok) throw new Error(`${sent.status}: ${await sent.text()}`);
    await until('the end', async () => !(await read(stage.product, token, id)).isStreaming);
  }
  return id;
}

test('I01: messages and titles', async () => {
  const { page, harm } = await watched();
  const names = await makeAll((name) =>
    stage.product.call(token, 'POST', 'discourse/conversations', { name }),
  );
  await page.goto('/conversations');
  const list = page.getByRole('region', { name: 'Conversation list' });
  await list.getByRole('link').last().hover();
  expect(await unseen(page, names)).toEqual([]);
  expect(await harm(), 'titles').toEqual([]);

  const id = await conversation(
    'Messages',
    [],
    parts.map((part, at) => `part ${at}\n\n${part}`),
  );
  const { messageSet } = await read(stage.product, token, id);
  const answers = messageSet.filter(({ role, status }) => role === 'assistant' && status === 'complete');
  expect(answers.map(({ text }) => text.trim())).toEqual(parts.map((part) => part.trim()));
  for (const message of messageSet) {
    await page.goto(`/conversations/${id}?message_id=${message.id}`);
    await page.locator(`[data-message-id="${message.id}"]`).first().waitFor();
    expect(await harm(), message.role).toEqual([]);
  }
});

test('I01: columns, cells, charts and files', async () => {
  const { page, harm } = await watched();
  const cells = await connector('cells', [['what', 'n'], ...hostile.map((text, at) => [text, String(at)])]);
  const columns = await connector('columns', [hostile, hostile.map((_, at) => String(at))]);
  for (const id of [cells, columns]) {
    await page.goto(`/datasource/${id}`);
    await page.getByRole('grid').first().waitFor();
    expect(await harm(), 'connector').toEqual([]);
  }
  const id = await conversation('Table', [cells], ['show all']);
  const { messageSet } = await read(stage.product, token, id);
  expect(
    messageSet.flatMap(({ displayobjectSet }) => displayobjectSet.map(({ type }) => type)).length,
  ).toBeGreaterThan(1);
  await page.goto(`/conversations/${id}`);
  await page
    .getByRole('button', { name: /How this was worked out/ })
    .first()
    .click();
  await page.getByRole('grid').first().waitFor();
  expect(await harm(), 'table').toEqual([]);
});

test('I01: names of files, projects, memories and tasks', async () => {
  const { page, harm } = await watched();
  await page.goto('/datasources');
  await page.getByRole('button', { name: 'Add Connector' }).first().click();
  const dialog = page.getByRole('dialog');
  for (const text of hostile) {
    const name = `${text.replaceAll('/', '∕')}.csv`;
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') });
    await until(`the file ${name}`, async () => bare(await dialog.innerText()).includes(bare(name)), 10_000);
  }
  expect(await harm(), 'files').toEqual([]);

  const projects = await makeAll((name) =>
    stage.product.call(token, 'POST', 'discourse/projectlabels', {
      name,
      color: '#2e7d32',
      description: name,
    }),
  );
  await page.goto('/projects');
  await page.getByRole('article').first().hover();
  expect(await unseen(page, projects)).toEqual([]);
  expect(await harm(), 'projects').toEqual([]);

  const types = await stage.product.call(token, 'GET', 'memory/memorytypes');
  const { results } = (await types.json()) as { results: { id: number }[] };
  const memories = await makeAll((name) =>
    stage.product.call(token, 'POST', 'memory/memories', {
      name,
      question: name,
      response: name,
      type: results[0]?.id,
      isEnabled: true,
    }),
  );
  await page.goto('/memories');
  await page.getByRole('tab', { name: 'Memory admin' }).click();
  await page.getByRole('article').first().hover();
  expect(await unseen(page, memories)).toEqual([]);
  expect(await harm(), 'memories').toEqual([]);

  const schedule = { type: 'cron', frequencyType: 'daily', time: '09:30', timeZone: 'Europe/Berlin' };
  const icebreaker = await blueprint();
  const tasks = await makeAll((name) =>
    stage.product.call(token, 'POST', 'discourse/scheduledtasks', { name, icebreaker, schedule }),
  );
  await page.goto('/tasks');
  await page.getByRole('row').nth(1).hover();
  expect(await unseen(page, tasks)).toEqual([]);
  expect(await harm(), 'tasks').toEqual([]);
});

test('I01: what the address names, and what the server says', async () => {
  const { page, harm } = await watched();
  const goTo = (address: string) =>
    page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, address);
  // The server has no address with a backslash, and the router does not open one.
  const addresses = hostile.filter((text) => !text.includes('\\'));
  // Three in one test, because each such call is tried twice, a third of a second apart.
  for (let at = 0; at < addresses.length; at += 3) {
    const text = addresses.slice(at, at + 3).join(' ');
    await goTo(`/conversations/${encodeURIComponent(text)}`);
    // If it is not found, the page is left automatically; a navigation before that would be undone.
    await page.waitForURL(/\/conversations(\/[0-9a-f-]{36})?$/);
    await until(`that ${text} is not found`, async () =>
      (await shown(page)).includes(bare(`Conversation ${text} not found`)),
    );
  }
  expect(await harm(), 'toasts').toEqual([]);
  for (const text of addresses) {
    await goTo(`/${encodeURIComponent(text)}?search=${encodeURIComponent(text)}#${encodeURIComponent(text)}`);
  }
  expect(await harm(), 'addresses').toEqual([]);
  // A page that fails shows its error.
  for (const part of parts) {
    await page.route('**/assets/*page*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: `throw new Error(${JSON.stringify(part)})` }),
    );
    await page.goto('/projects');
    await page.getByText('Details', { exact: true }).click();
    await until('the details', async () => (await shown(page)).includes(bare(part)));
    expect(await harm(), 'error page').toEqual([]);
  }
});
