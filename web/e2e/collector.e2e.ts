import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';

import { until, upload } from './api';
import { conversationId, send, signIn } from './browser';
import { Collector, type Json } from './collector';
import { mara } from './people';
import { Product } from './product';
import { onStage } from './stage';

/** Texts that must never be sent, one of each kind; the bearer and the link are added when they are known. */
const canaries: Record<string, string> = {
  cookie: 'cookiecanary4711',
  secret: 'secretcanary4711',
  password: 'passwordcanary4711',
  prompt: 'promptcanary4711',
  cell: 'cellcanary4711',
  email: mara,
};

let collector: Collector;
/** Another server, for which no collector is configured. */
let without: Promise<Product>;

const stage = onStage(async (opened) => {
  without = opened(Product.start({}, inject('firstData')));
  collector = await opened(Collector.start());
  return { PARLEY_WEB_COLLECTOR: collector.dsn };
});

/** The file of the build that holds the library. */
async function libraryFile(): Promise<string> {
  const folder = path.resolve(import.meta.dirname, '../dist/assets');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(names.map(async (name) => readFile(path.join(folder, name), 'utf8')));
  const found = names.filter((_, at) => texts[at]?.includes('replay_recording'));
  if (found.length !== 1) throw new Error(`the library is in ${found.join(', ')}`);
  return found[0] ?? '';
}

function requestsOf(page: Page): string[] {
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  return urls;
}

/**
 * The libraries get this number as every random number: below 0.1 a session is recorded, from 0.1 on only its
 * errors are.
 */
async function draw(context: BrowserContext, number: number): Promise<void> {
  await context.addInitScript((drawn) => {
    Math.random = () => drawn;
  }, number);
}

/** Moves the mouse, which loads the library, and waits until it has sent the trace of the page. */
async function awaken(page: Page): Promise<void> {
  const before = collector.of('transaction').length;
  await page.mouse.move(200, 200);
  await page.mouse.move(300, 240, { steps: 5 });
  await until('the trace of the page', () => Promise.resolve(collector.of('transaction').length > before));
}

/** Opens a page of the sidebar without loading the program again. */
async function goTo(page: Page, place: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: place, exact: true }).click();
}

/** Waits until a recording from after this moment has arrived: when a page is left, unsent recordings are lost. */
async function recordedSince(moment: number): Promise<void> {
  await until('a recording', () =>
    Promise.resolve(collector.recorded().some(({ type, timestamp }) => type === 3 && timestamp >= moment)),
  );
}

const traces = (): unknown[] => collector.of('transaction').map(({ transaction }) => transaction);

test('nothing of it is fetched, and nothing is sent when no collector is configured', async () => {
  const { url } = await without;
  const { page, errors } = await stage.sit({ url });
  const library = await libraryFile();
  const urls = requestsOf(page);
  await signIn(page, mara);
  const policy = (await page.request.get('/')).headers()['content-security-policy'] ?? '';
  expect(policy).not.toContain('127.0.0.1');
  await page.waitForLoadState('networkidle');
  // The first movement loads the modules for pages in use.
  const brought = page.waitForResponse((answer) => answer.url().includes('/assets/'));
  await page.mouse.move(200, 200);
  await brought;
  await goTo(page, 'Connectors');
  await page.getByRole('heading', { name: 'Connectors' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(urls.filter((asked) => asked.includes(library) || !asked.startsWith(url))).toEqual([]);
  expect(collector.text).toBe('');
  expect(errors).toEqual([]);
});

describe('where a collector is configured', () => {
  test('a session in ten is recorded, and each page is a trace by the name of its route', async () => {
    const { context, page, errors } = await stage.sit();
    await draw(context, 0.09);
    const urls = requestsOf(page);
    const library = await libraryFile();
    // It is loaded after the first view, not with it.
    await page.goto('/login');
    await page.getByRole('button', { name: 'Login' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(urls.filter((url) => url.includes(library))).toEqual([]);
    await signIn(page, mara);
    await awaken(page);
    await goTo(page, 'Connectors');
    await page
      .getByRole('link', { name: /Retail orders/ })
      .first()
      .click();
    await page.getByRole('grid').first().waitFor();
    await until('the trace', () => Promise.resolve(traces().includes('/datasource/:dataSourceId')));
    await until('a recording', () => Promise.resolve(collector.recorded().length > 0));
    expect(collector.of('replay_event')[0]?.['replay_type']).toBe('session');
    expect(errors).toEqual([]);
  });

  test('an error arrives with its replay, and nothing of what a person asked, saw or is', async () => {
    const { context, page, errors } = await stage.sit();
    await draw(context, 0.9);
    await context.addCookies([{ name: 'session', value: canaries['cookie'] ?? '', url: stage.product.url }]);
    const source = await sold(await stage.product.token(mara));
    await signIn(page, mara);
    const token = await page.evaluate(() => {
      const key = Object.keys(localStorage).find((name) => name.startsWith('oidc.user:')) ?? '';
      return (JSON.parse(localStorage.getItem(key) ?? '{}') as { access_token?: string }).access_token ?? '';
    });
    const recordings = collector.recorded().length;
    const replays = new Set(collector.of('replay_event').map(({ replay_id }) => replay_id));
    await awaken(page);

    // The thrown error contains everything that must not be sent elsewhere.
    const said = Object.values(canaries).join(' ');
    await page.evaluate((text) => {
      setTimeout(() => {
        throw new TypeError(
          `${text}\n    at ${text.split(' ')[3] ?? ''} (${location.origin}/assets/x.js:1:1)`,
        );
      });
      void Promise.reject(new Error(text));
    }, said);
    // A page that fails reports it, too.
    await page.route('**/assets/projects-page*.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `throw new RangeError(${JSON.stringify(said)})`,
      }),
    );
    await goTo(page, 'Projects');
    await page.getByText('An unexpected error occurred.').waitFor();
    await until('the errors', () => Promise.resolve(collector.of('event').length === 3));
    const replay = (event: Json): unknown => (event['tags'] as Json | undefined)?.['replayId'];
    const [id] = new Set(collector.of('event').map(replay));
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(replays).not.toContain(id);
    await until('the replay', () => Promise.resolve(collector.recorded().length > recordings));
    expect(collector.of('replay_event').at(-1)).toMatchObject({ replay_id: id, replay_type: 'buffer' });

    // From here on everything is recorded: each canary is shown on a page, typed, or fetched.
    await page.goBack();
    const { link, id: conversation } = await tour(page, token, source);
    const end = Date.now();
    await goTo(page, 'Blueprints');
    await recordedSince(end);
    await until('its trace', () => Promise.resolve(traces().includes('/conversations/:conversationId')));

    const hidden = {
      ...canaries,
      token: token.split('.')[2] ?? token,
      link: link.split('token=')[1] ?? link,
    };
    for (const [kind, text] of Object.entries(hidden)) {
      expect(text.length, kind).toBeGreaterThan(10);
      for (const form of [text, encodeURIComponent(text), btoa(text)]) expect(around(form), kind).toBe('');
    }
    // The id of a conversation must not be sent either, and addresses have no query.
    expect(collector.text).not.toContain(conversation);
    expect(collector.text).not.toContain('message_id');
    expectStructure();
    expectErrors();
    expect(collector.failures).toEqual([]);
    // Only the errors that the test has thrown, and no refusal by the policy.
    expect(errors.filter((text) => !text.includes(said))).toEqual([]);
  });
});

/** A connector in which the canary is a cell. */
async function sold(token: string): Promise<number> {
  const file = { name: 'sold.csv', text: `product,amount\n${canaries['cell'] ?? ''},17\nother,4\n` };
  return upload(stage.product, token, file, { name: 'Sold', description: 'What was sold.' });
}

/** Shows, types or fetches each of the canaries; returns a link that needs no bearer, and the conversation's id. */
async function tour(page: Page, token: string, source: number): Promise<{ link: string; id: string }> {
  await goTo(page, 'Connectors');
  await page.getByRole('link', { name: /Sold/ }).first().click();
  await page
    .getByRole('grid')
    .getByText(canaries['cell'] ?? '')
    .first()
    .waitFor();
  const seen = Date.now();
  await page.mouse.move(420, 300, { steps: 5 });
  await recordedSince(seen);
  await page.goto(`/conversations/new?dataSources[]=${source}&message_id=${canaries['prompt'] ?? ''}`);
  await page.mouse.move(400, 300, { steps: 5 });
  await send(page, 'total amount by product');
  const id = await conversationId(page);
  await page.locator('[data-chart-frame] .highcharts-root').first().waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  await send(page, `${canaries['prompt'] ?? ''} for ${mara}`);
  await page
    .getByRole('article')
    .getByText(canaries['prompt'] ?? '')
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  const answered = Date.now();
  await page.mouse.move(440, 300, { steps: 5 });
  await recordedSince(answered);
  await page.goto(`/conversations/${id}`);
  await page.locator('[data-chart-frame] .highcharts-root').first().waitFor();
  await awaken(page);
  await goTo(page, 'Configure Data');
  await page.getByRole('textbox', { name: 'Name' }).fill(canaries['secret'] ?? '');

  const read = await stage.product.call(token, 'GET', `discourse/conversations/${id}`);
  const { messageSet } = (await read.json()) as { messageSet: { displayobjectSet: { id: string }[] }[] };
  const object = messageSet.flatMap(({ displayobjectSet }) => displayobjectSet)[0]?.id ?? '';
  const answer = await stage.product.call(token, 'GET', `discourse/displayobjects/${object}/presigned-url`);
  const { url } = (await answer.json()) as { url: string };
  // What a page might render in the future: each text in each place that a recorder reads.
  await page.evaluate(
    async ({ texts, address }) => {
      await fetch(address);
      const all = texts.join(' ');
      const box = document.createElement('div');
      for (const name of [
        'id',
        'title',
        'alt',
        'name',
        'data-state',
        'data-text',
        'aria-label',
        'aria-description',
        'class',
      ]) {
        box.setAttribute(name, all);
      }
      const anchor = Object.assign(document.createElement('a'), { href: address, textContent: all });
      const image = Object.assign(document.createElement('img'), { alt: all });
      const password = Object.assign(document.createElement('input'), { type: 'password', value: texts[2] });
      const area = Object.assign(document.createElement('textarea'), { value: all });
      const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      const label = document.createElementNS('http://www.w3.org/2000/svg', 'text');
      label.textContent = all;
      drawing.append(label);
      box.append(anchor, image, password, area, drawing, document.createComment(all));
      document.body.append(box);
      document.title = all;
      await new Promise((next) => requestAnimationFrame(next));
      anchor.textContent = `again ${all}`;
      anchor.title = all;
      area.value = `again ${all}`;
      area.dispatchEvent(new Event('input', { bubbles: true }));
      anchor.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
      console.error(all);
      history.replaceState(
        history.state,
        '',
        `${location.pathname}?q=${encodeURIComponent(all)}#${encodeURIComponent(all)}`,
      );
    },
    { texts: Object.values(canaries), address: url },
  );
  // A form with typed text would ask whether to leave.
  await page.getByRole('textbox', { name: 'Name' }).fill('');
  return { link: url, id };
}

/** The occurrence of a text in the sent data, with the text before and after it. */
function around(text: string): string {
  const at = collector.text.toLowerCase().indexOf(text.toLowerCase());
  return at < 0 ? '' : collector.text.slice(Math.max(0, at - 200), at + 200);
}

interface RecordedNode {
  tagName?: string;
  textContent?: string;
  isStyle?: boolean;
  attributes?: Json;
  childNodes?: RecordedNode[];
}

/** The recording is usable: pages with their elements, texts as stars, the path of the mouse, and no drawings. */
function expectStructure(): void {
  const events = collector.recorded();
  const roots = events.flatMap(({ type, data }) => (type === 2 ? [data['node'] as RecordedNode] : []));
  const added = events.flatMap(({ data }) => (data['adds'] as { node: RecordedNode }[] | undefined) ?? []);
  const flat = (node: RecordedNode): RecordedNode[] => [node, ...(node.childNodes ?? []).flatMap(flat)];
  const nodes = [...roots, ...added.map(({ node }) => node)].flatMap(flat);
  const tags = new Set(nodes.map(({ tagName }) => tagName));
  for (const tag of ['html', 'body', 'main', 'textarea', 'button', 'table', 'svg', 'a'])
    expect(tags).toContain(tag);
  const texts = nodes.flatMap(({ textContent = '', isStyle }) => (isStyle === true ? [] : [textContent]));
  expect(texts.filter((text) => /\*{4}/.test(text)).length).toBeGreaterThan(50);
  expect(texts.filter((text) => /[^\s*]/.test(text))).toEqual([]);
  expect(nodes.filter(({ tagName, childNodes }) => tagName === 'svg' && childNodes?.length !== 0)).toEqual(
    [],
  );
  expect(nodes.filter(({ attributes }) => attributes?.['aria-label'] !== undefined).length).toBeGreaterThan(
    0,
  );
  // The page can be reconstructed: its style sheets are included, and the classes to which they apply.
  expect(nodes.some(({ attributes }) => JSON.stringify(attributes?.['_cssText'] ?? '').length > 10_000)).toBe(
    true,
  );
  const sources = new Set(events.flatMap(({ type, data }) => (type === 3 ? [data['source']] : [])));
  for (const source of [0, 1, 2]) expect(sources).toContain(source);
}

/** An error has its type and its position in the build's files. */
function expectErrors(): void {
  const values = collector.of('event').flatMap(({ exception }) => (exception as { values: Json[] }).values);
  expect(new Set(values.map(({ type }) => type))).toEqual(new Set(['TypeError', 'Error', 'RangeError']));
  expect(values.map(({ value }) => value)).toEqual(['', '', '']);
  const frames = values.flatMap(
    ({ stacktrace }) => (stacktrace as { frames: Json[] } | undefined)?.frames ?? [],
  );
  expect(frames.length).toBeGreaterThan(0);
  for (const { filename } of frames)
    expect(filename).toMatch(new RegExp(`^${stage.product.url}/assets/[\\w.-]+\\.js$`));
  expect(frames.map(({ filename }) => String(filename)).some((name) => name.endsWith('/x.js'))).toBe(false);
}
