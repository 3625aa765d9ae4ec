// @vitest-environment jsdom
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';

import { chatMessage } from '../src/lib/chat-message';
import type { Conversation, Page, ScheduledTask } from '../src/lib/wire';
import { seeded } from '../src/testing/random';
import { until } from './api';
import { LineProxy } from './line-proxy';
import { stoppedAtTheEnd } from './opened';
import { mara } from './people';
import { Product } from './product';
import { SecondClient } from './second-client';
import { Shown } from './shown';
import { openTab, type Tab } from './tab';
import { lastTry, tries, Weather } from './weather';

/*
 * The app's own stores, without their views, as two tabs of one person, against a real node: each tab's stream has
 * a separate network that breaks at any point, is refused, becomes silent, is closed with close codes, and delivers
 * frames twice and in another order. After a thousand of these events the stores must contain what the API returns.
 *
 * The network is never worse than a client must tolerate (see Weather), so a tab that gives up has given up too
 * early. And what is shown is checked all the time: see Shown.
 *
 * Each of these errors, introduced into the client one at a time, makes the test fail: a gap in a conversation's
 * events is not noticed; an event of an older generation is applied; a repeated event is applied again; text beyond
 * the end is appended; repeated text is appended again; the client gives up after two counted tries; a rewind does
 * not move a conversation in the list.
 */

const cuts = Number(process.env['PARLEY_TEST_CUTS'] ?? 1_000);
const seed = Number(process.env['PARLEY_TEST_SEED'] ?? Date.now() % 1_000_000_000);

const started = stoppedAtTheEnd();
let product: Product;
let networks: [LineProxy, LineProxy];
let bearers: string[];

/** The conversations that are being fetched with their messages, by either tab, and a moment longer. */
const fetching = {
  ids: [] as string[],
  during(id: string, answer: Promise<unknown>): void {
    fetching.ids.push(id);
    const done = (): void => void fetching.ids.splice(fetching.ids.indexOf(id), 1);
    void answer.catch(() => undefined).then(() => setTimeout(done, 200));
  },
};

/** Messages that no server has sent. */
const forged = new Set<string>();

const clock = { ahead: 0 };

beforeAll(async () => {
  networks = [await started(LineProxy.start()), await started(LineProxy.start())];
  product = await started(
    Product.start({ PARLEY_URL: networks[0].url, PARLEY_SOCKETS_PER_USER: '5000' }, inject('firstData')),
  );
  for (const network of networks) network.to(product.url);
  bearers = [await product.token(mara), await product.token(mara, 'another')];
  // Addresses are resolved as on a page of the product, and its sockets send it as their origin.
  const page = new jsdom.constructor('', { url: networks[0].url });
  vi.stubGlobal('WebSocket', page.window.WebSocket);
  const { fetch, Date: date } = globalThis;
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    const answer = fetch(new URL(input, networks[0].url), init);
    const id = /conversations\/([0-9a-f-]{36})\?message_page_size=\d\d/u.exec(input)?.[1];
    if (id !== undefined) fetching.during(id, answer);
    return answer;
  });
  const { now } = date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + clock.ahead);
});

afterAll(() => {
  vi.unstubAllGlobals();
});

const api = {
  async get<T>(path: string): Promise<T> {
    const answer = await product.call(bearers[0]!, 'GET', path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  },
  list: (status = '') =>
    api.get<Page<Conversation>>(
      `discourse/conversations?sort=-updated_at&page_size=50&scope=all&retrieve_type=all${status}`,
    ),
  conversation: (id: string) => api.get<Conversation>(`discourse/conversations/${id}?message_page_size=1000`),
};

/**
 * A conversation without fields that only the stores have. The number of unread answers is compared only as zero or
 * more, because it is shown as a mark.
 */
function row(conversation: Conversation) {
  const shown = Object.entries(conversation).filter(([field]) => !kept.has(field));
  return { ...Object.fromEntries(shown), isUnread: conversation.unreadMessages > 0 };
}

/** The open one, whose page shows no time of the last change. */
const opened = (conversation: Conversation) => ({ ...row(conversation), updatedAt: null });

/** Fields for the position on the stream, fields that the stores keep elsewhere, and fields that no page shows. */
const kept = new Set([
  ...['head', 'epoch', 'generation', 'earlierMessages', 'messageSet'],
  ...['unreadMessages', 'currentStatusSummary'],
]);

/** The value as JSON: a missing field and an undefined one are the same. */
const plain = (value: object) => JSON.parse(JSON.stringify(value)) as unknown;

/** All data of the API in the stores of a tab. */
function held(tab: Tab) {
  const { conversationsState } = tab.conversations;
  const { current } = tab.session.sessionState;
  const { ids = [] } = tab.tasks.state.lists[JSON.stringify(everyTask)] ?? {};
  const rows = (scope: 'all' | 'archived') =>
    conversationsState.lists[scope].ids.map((id) => row(conversationsState.byId[id] as Conversation));
  const open =
    current.phase === 'ready'
      ? { ...opened(current.conversation as Conversation), turn: current.turn }
      : current;
  return plain({
    all: rows('all'),
    archived: rows('archived'),
    tasks: ids.map((id) => tab.tasks.state.byId[id]),
    open,
    messages: tab.log().now(),
  });
}

const everyTask = { status: 'all', project: null, search: '' } as const;

/** The same, from the API. */
async function truth(tab: Tab) {
  const { current } = tab.session.sessionState;
  if (current.phase !== 'ready') throw new Error(`nothing is open: ${current.phase}`);
  const [all, archived, tasks, open] = await Promise.all([
    api.list(),
    api.list('&status=archived'),
    api.get<Page<ScheduledTask>>('discourse/scheduledtasks?page_size=10&page=1&status=all'),
    api.conversation(current.id),
  ]);
  return plain({
    all: all.results.map(row),
    archived: archived.results.map(row),
    tasks: tasks.results,
    open: { ...opened(open), turn: { phase: 'idle' } },
    messages: open.messageSet.map(chatMessage),
  });
}

test(`two tabs have the same state as the server after ${cuts} cuts, seed ${seed}`, async () => {
  // Each has its own random numbers, because the order in which they run depends on the machine.
  const random = seeded(seed);
  const client = await SecondClient.start(product, bearers[0]!, seeded(seed + 1));
  const tabs: Tab[] = [];
  const weathers = networks.map((_, at) => new Weather(seeded(seed + 2 + at), { tabs, at, clock, forged }));
  for (const [at, network] of networks.entries()) {
    const tab = await openTab({ stream: network.url, bearers });
    tabs.push(tab);
    tab.tasks.watch(everyTask);
    await Promise.all([
      tab.conversations.loadConversations('all'),
      tab.conversations.loadConversations('archived'),
      tab.tasks.load(everyTask),
      tab.session.openConversation(client.ids[at]!),
    ]);
  }
  const shown = new Shown(forged);
  const look = (): void => {
    for (const tab of tabs) {
      const { current } = tab.session.sessionState;
      const id = current.phase === 'closed' ? '' : current.id;
      shown.look(tab, tab.log().now(), fetching.ids.includes(id));
    }
  };
  const looking = setInterval(look, 4);
  const watched = (): string[] =>
    tabs.flatMap(({ session: { sessionState } }) =>
      sessionState.current.phase === 'closed' ? [] : [sessionState.current.id],
    );
  for (const [at, network] of networks.entries()) {
    network.storm(weathers[at]!.storm);
    network.cutStreams();
  }
  const done = () => networks.reduce((sum, network) => sum + network.cuts, 0);
  while (done() < cuts) {
    await client.act(watched());
    const tab = random.pick(tabs);
    if (random.chance(0.1)) void tab.session.openConversation(random.pick(client.ids));
    for (const { me } of tabs) expect(me.meState.signIn.phase, `seed ${seed}`).not.toBe('ended');
    expect(shown.wrong, `seed ${seed}`).toEqual([]);
  }
  for (const network of networks) network.storm(null);
  // Connections that were silent when the storm ended must be detected as silent.
  await until('no last tries', () => Promise.resolve(tabs.every((tab) => tries(tab) < lastTry)));
  clock.ahead += 60_000;
  for (const tab of tabs) tab.wake();
  await until('open lines', () =>
    Promise.resolve(tabs.every(({ line }) => line.connection.phase === 'open')),
  );
  // These turns begin and end on stable connections.
  for (const id of client.ids) await client.prompt(id, 50);
  await until('the last end', async () => {
    const running = await api.get<Page<Conversation>>('discourse/conversations/running');
    return running.results.length === 0;
  });
  // The lists must also get changes while no turn is running.
  await client.settle();
  const same = (tab: Tab, what: string) =>
    vi.waitFor(async () => expect(held(tab), `${what}, seed ${seed}`).toEqual(await truth(tab)), {
      timeout: 20_000,
      interval: 100,
    });
  for (const [at, tab] of tabs.entries()) await same(tab, `tab ${at}`);
  clearInterval(looking);
  look();
  expect(shown.wrong, `seed ${seed}`).toEqual([]);
  for (const id of client.ids) {
    for (const message of (await api.conversation(id)).messageSet)
      expect(message.text.startsWith(shown.of(message.id)), `${message.id}, seed ${seed}`).toBe(true);
  }

  // Check that there were enough failures.
  const [one, two] = weathers;
  for (const what of Object.keys(one!.seen) as (keyof Weather['seen'])[])
    expect(one!.seen[what] + two!.seen[what], what).toBeGreaterThan(0);
  for (const [what, times] of Object.entries(client.did)) expect(times, what).toBeGreaterThan(cuts / 250);
  for (const tab of tabs) tab.close();
});

/** The jsdom instance, which the test environment provides. */
declare const jsdom: {
  constructor: new (html: string, settings: { url: string }) => { window: { WebSocket: typeof WebSocket } };
};
