// @vitest-environment jsdom
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { chatMessage } from '../src/lib/chat-message';
import type { Conversation, Page, ScheduledTask } from '../src/lib/wire';
import { type Random, seeded } from '../src/testing/random';
import { until } from './api';
import { LineProxy } from './line-proxy';
import { Product } from './product';
import { SecondClient } from './second-client';
import type { Fate, Mix, Storm } from './stormy-stream';
import { openTab, type Tab } from './tab';

/*
 * The app's own stores, without their views, as two tabs of one person, against a real node: each tab's stream goes
 * through a network of its own that breaks wherever it stands, is refused, falls silent, is ended by close codes, and
 * brings frames twice and in another order. After a thousand of these what the stores hold is what the API says.
 *
 * It runs by `npm run measure -- cuts`, after `make build`, and not in `make test`: now and then a tab is refused often
 * enough to give up, rightly, and the run is void.
 */

const mara = 'mara@meridian.example';
const cuts = Number(process.env['PARLEY_TEST_CUTS'] ?? 1_000);
const seed = Number(process.env['PARLEY_TEST_SEED'] ?? Date.now() % 1_000_000_000);

let product: Product;
let networks: [LineProxy, LineProxy];
let bearers: string[];

const clock = { ahead: 0 };

beforeAll(async () => {
  networks = [await LineProxy.start(), await LineProxy.start()];
  product = await Product.start({ PARLEY_URL: networks[0].url, PARLEY_SOCKETS_PER_USER: '5000' });
  for (const network of networks) network.to(product.url);
  bearers = [await product.token(mara), await product.token(mara, 'another')];
  // Addresses are those of a page of the product, and its sockets name it as their origin.
  const page = new jsdom.constructor('', { url: networks[0].url });
  vi.stubGlobal('WebSocket', page.window.WebSocket);
  const { fetch, Date: date } = globalThis;
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => fetch(new URL(input, networks[0].url), init));
  const { now } = date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + clock.ahead);
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await product.stop();
  for (const network of networks) await network.stop();
});

const entry = /^\{"type":"(?:message|conversation|task)\./u;

/** Entries of logs and pieces of text come again, and change places with the next one. */
function mixer(random: Random, seen: { repeats: number; swaps: number }): Mix {
  const brought: Parameters<Mix>[0][number][] = [];
  return (frames) => {
    const out = [...frames];
    for (let at = 0; at + 1 < out.length; at++) {
      if (!entry.test(out[at]!.text) || !entry.test(out[at + 1]!.text) || !random.chance(0.05)) continue;
      [out[at], out[at + 1]] = [out[at + 1]!, out[at]!];
      seen.swaps++;
    }
    const known = out.filter(({ text }) => entry.test(text));
    if (brought.length > 0 && random.chance(0.1)) {
      out.push(random.pick(brought));
      seen.repeats++;
    }
    brought.push(...known);
    brought.splice(0, brought.length - 20);
    return out;
  };
}

/** Codes after which a client comes back; 4402, with another bearer, is asked for apart. */
const codes = [1000, 1001, 1011, 4408, 4429, 4503];

/** How many counted tries a tab has made in a row; the fourth that fails would be its last one. */
function tries(tab: Tab): number {
  const { connection } = tab.line;
  return connection.phase === 'retrying' ? connection.attempt : 0;
}

/** The storm over one tab, and what it has done. */
class Weather {
  readonly seen = { refused: 0, cut: 0, silence: 0, close: 0, repeats: 0, swaps: 0, renewed: 0 };
  private renewedAt = -1;

  constructor(
    private readonly random: Random,
    private readonly tabs: readonly Tab[],
    private readonly at: number,
  ) {}

  readonly storm: Storm = {
    fate: () => this.fate(),
    mix: () => mixer(this.random, this.seen),
    met: (fate) => {
      this.seen[fate.end]++;
      if (fate.end === 'silence') this.waitOut();
    },
  };

  private fate(): Fate {
    const { random } = this;
    // A page gives up after three tries that come to nothing, and rightly.
    const tab = this.tabs[this.at];
    const last = tab !== undefined && tries(tab) > 0;
    const from = last || random.chance(0.5) ? ({ from: 'ready' } as const) : {};
    const what = random.next();
    if (what < 0.1 && !last) return { end: 'refused' };
    if (what < 0.7) return { end: 'cut', after: random.below(random.pick([300, 1_500])), ...from };
    if (what < 0.8) return { end: 'silence', after: random.below(600), ...from };
    const frames = random.below(6);
    // A bearer that has just come and is refused ends the sign-in, and rightly.
    if (what < 0.82 && clock.ahead > this.renewedAt) {
      this.renewedAt = clock.ahead;
      this.seen.renewed++;
      return { end: 'close', frames, code: 4402, ...from };
    }
    return { end: 'close', frames, code: random.pick(codes), ...from };
  }

  /** Nothing comes any more: two keep-alives are missed, in every tab. */
  private waitOut(): void {
    if (this.tabs.some((tab) => tries(tab) > 1)) {
      setTimeout(() => this.waitOut(), 5);
      return;
    }
    clock.ahead += 60_000;
    this.tabs[this.at]?.wake();
  }
}

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
 * A conversation without what the stores keep for themselves. How many answers are unread counts as whether there are
 * any: a mark.
 */
function row(conversation: Conversation) {
  const { credits, unreadMessages } = conversation;
  const shown = Object.entries(conversation).filter(([field]) => !kept.has(field));
  return { ...Object.fromEntries(shown), credits: credits.toFixed(6), isUnread: unreadMessages > 0 };
}

/** What places a conversation on the stream, what stands in other fields here, and what no page shows. */
const kept = new Set([
  ...['head', 'epoch', 'generation', 'earlierMessages', 'messageSet'],
  ...['updatedAt', 'unreadMessages', 'currentStatusSummary'],
]);

const byId = <T extends { id: string }>(entries: readonly T[]): T[] =>
  [...entries].sort((a, b) => (a.id < b.id ? -1 : 1));

/** As it would go over the wire: a field that is not there and one that is undefined are the same. */
const plain = (value: object) => JSON.parse(JSON.stringify(value)) as unknown;

/** All that the stores of a tab hold of what the API knows. */
function held(tab: Tab) {
  const { conversationsState } = tab.conversations;
  const { current } = tab.session.sessionState;
  const { ids = [] } = tab.tasks.state.lists[JSON.stringify(everyTask)] ?? {};
  const rows = (scope: 'all' | 'archived') =>
    byId(conversationsState.lists[scope].ids.map((id) => conversationsState.byId[id] as Conversation)).map(
      row,
    );
  const open =
    current.phase === 'ready'
      ? { ...row(current.conversation as Conversation), turn: current.turn }
      : current;
  return plain({
    all: rows('all'),
    archived: rows('archived'),
    tasks: ids.map((id) => tab.tasks.state.byId[id]),
    open,
    messages: tab.log().now(),
    // Of the list that is shown, what stands below something that was used before it.
    unordered: [],
  });
}

const everyTask = { status: 'all', project: null, search: '' } as const;

/** The same, as the API says it. */
async function truth(tab: Tab) {
  const { current } = tab.session.sessionState;
  if (current.phase !== 'ready') throw new Error(`nothing is open: ${current.phase}`);
  const [all, archived, tasks, open] = await Promise.all([
    api.list(),
    api.list('&status=archived'),
    api.get<Page<ScheduledTask>>('discourse/scheduledtasks?page_size=10&page=1&status=all'),
    api.conversation(current.id),
  ]);
  const used = Object.fromEntries(all.results.map(({ id, updatedAt }) => [id, Date.parse(updatedAt)]));
  const shown = tab.conversations.conversationsState.lists.all.ids.map((id) => ({ id, at: used[id] ?? 0 }));
  return plain({
    all: byId(all.results).map(row),
    archived: byId(archived.results).map(row),
    tasks: tasks.results,
    open: { ...row(open), turn: { phase: 'idle' } },
    messages: open.messageSet.map(chatMessage),
    // An event and what it tells of are written with times of their own, moments apart.
    unordered: shown.filter(({ at }, place) => at > (shown[place - 1]?.at ?? at) + 1_000),
  });
}

test(`two tabs hold what the server holds after ${cuts} cuts, seed ${seed}`, async () => {
  const random = seeded(seed);
  const client = await SecondClient.start(product, bearers[0]!, random);
  const tabs: Tab[] = [];
  const weathers = networks.map((_, at) => new Weather(random, tabs, at));
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
  const opened = (): string[] =>
    tabs.flatMap(({ session: { sessionState } }) =>
      sessionState.current.phase === 'closed' ? [] : [sessionState.current.id],
    );
  for (const [at, network] of networks.entries()) {
    network.storm(weathers[at]!.storm);
    network.cutStreams();
  }
  const done = () => networks.reduce((sum, network) => sum + network.cuts, 0);
  while (done() < cuts) {
    await client.act(opened());
    const tab = random.pick(tabs);
    if (random.chance(0.1)) void tab.session.openConversation(random.pick(client.ids));
    for (const { me } of tabs) expect(me.meState.signIn.phase, `seed ${seed}`).not.toBe('ended');
  }
  for (const network of networks) network.storm(null);
  // What was silent when the storm ended is noticed as silent.
  clock.ahead += 60_000;
  for (const tab of tabs) tab.wake();
  await until('open lines', () =>
    Promise.resolve(tabs.every(({ line }) => line.connection.phase === 'open')),
  );
  // What is asked and ends now does so on lines that hold.
  for (const id of client.ids) await client.prompt(id, 50);
  await until('the last end', async () => {
    const running = await api.get<Page<Conversation>>('discourse/conversations/running');
    return running.results.length === 0;
  });
  const same = (tab: Tab, what: string) =>
    vi.waitFor(async () => expect(held(tab), `${what}, seed ${seed}`).toEqual(await truth(tab)), {
      timeout: 20_000,
      interval: 100,
    });
  for (const [at, tab] of tabs.entries()) await same(tab, `tab ${at}`);

  // It was a storm indeed.
  for (const { seen } of weathers) {
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0);
  }
  for (const [what, times] of Object.entries(client.did)) expect(times, what).toBeGreaterThan(cuts / 250);
  for (const tab of tabs) tab.close();
});

/** The document's surroundings, as the test environment hands them out. */
declare const jsdom: {
  constructor: new (html: string, settings: { url: string }) => { window: { WebSocket: typeof WebSocket } };
};
