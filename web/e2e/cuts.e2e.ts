// @vitest-environment jsdom
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { chatMessage } from '../src/lib/chat-message';
import type { Conversation, Page, ScheduledTask } from '../src/lib/wire';
import type { EventFrame } from '../src/stream/frames';
import { type Random, seeded } from '../src/testing/random';
import { until } from './api';
import { LineProxy } from './line-proxy';
import { Product } from './product';
import { SecondClient } from './second-client';
import { type Frame, textFrame } from './server-frames';
import { Shown } from './shown';
import type { Fate, Mix, Storm } from './stormy-stream';
import { openTab, type Tab } from './tab';

/*
 * The app's own stores, without their views, as two tabs of one person, against a real node: each tab's stream goes
 * through a network of its own that breaks wherever it stands, is refused, falls silent, is ended by close codes, and
 * brings frames twice and in another order. After a thousand of these what the stores hold is what the API says.
 *
 * The network is never worse than a client is meant to bear: the last of the three counted tries comes through, and a
 * bearer that has just come is not refused. So a tab that gives up has given up too early.
 */

const mara = 'mara@meridian.example';
const cuts = Number(process.env['PARLEY_TEST_CUTS'] ?? 1_000);
const seed = Number(process.env['PARLEY_TEST_SEED'] ?? Date.now() % 1_000_000_000);

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

/** Messages that no server has said: see `late`. */
const forged = new Set<string>();

const clock = { ahead: 0 };

/** How many counted tries a client makes in a row; the specification's number, not the client's own. */
const lastTry = 3;

beforeAll(async () => {
  networks = [await LineProxy.start(), await LineProxy.start()];
  product = await Product.start({ PARLEY_URL: networks[0].url, PARLEY_SOCKETS_PER_USER: '5000' });
  for (const network of networks) network.to(product.url);
  bearers = [await product.token(mara), await product.token(mara, 'another')];
  // Addresses are those of a page of the product, and its sockets name it as their origin.
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

afterAll(async () => {
  vi.unstubAllGlobals();
  await product.stop();
  for (const network of networks) await network.stop();
});

const entry = /^\{"type":"(?:message|conversation|task)\./u;

/** What an owner would say that has not heard of a rewind: the next event, of the branch that was cut. */
function late({ text }: Frame): Frame[] {
  const { type, stream, seq, epoch, generation, at } = JSON.parse(text) as EventFrame;
  if (type !== 'conversation.rewound' || stream === 'user') return [];
  const id = crypto.randomUUID();
  forged.add(id);
  const data = { id, conversationId: stream, seq: seq + 1, role: 'user', text: 'cut', status: 'complete' };
  const frame = {
    type: 'message.created',
    stream,
    seq: seq + 1,
    epoch,
    generation: generation - 1,
    at,
    data,
  };
  return [textFrame(JSON.stringify(frame))];
}

/** Entries of logs and pieces of text come again, and change places with the next one; late ones follow a rewind. */
function mixer(random: Random, seen: { repeats: number; swaps: number; late: number }): Mix {
  const brought: Parameters<Mix>[0][number][] = [];
  return (frames) => {
    const out = [...frames];
    for (let at = 0; at + 1 < out.length; at++) {
      if (!entry.test(out[at]!.text) || !entry.test(out[at + 1]!.text) || !random.chance(0.05)) continue;
      [out[at], out[at + 1]] = [out[at + 1]!, out[at]!];
      seen.swaps++;
    }
    for (let at = out.length - 1; at >= 0; at--) {
      const after = entry.test(out[at]!.text) ? late(out[at]!) : [];
      out.splice(at + 1, 0, ...after);
      seen.late += after.length;
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

/** How many counted tries a tab has made in a row. */
function tries(tab: Tab): number {
  const { connection } = tab.line;
  return connection.phase === 'retrying' ? connection.attempt : 0;
}

/** The storm over one tab, and what it has done. */
class Weather {
  readonly seen = {
    refused: 0,
    cut: 0,
    silence: 0,
    close: 0,
    repeats: 0,
    swaps: 0,
    late: 0,
    renewed: 0,
    lastTries: 0,
  };
  /** A bearer was said to have ended, and no stream was asked for since. */
  private renewing = false;

  private readonly mix: Mix;

  constructor(
    private readonly random: Random,
    private readonly tabs: readonly Tab[],
    private readonly at: number,
  ) {
    this.mix = mixer(random, this.seen);
  }

  readonly storm: Storm = {
    fate: () => this.fate(),
    mix: () => this.mix,
    met: (fate) => {
      this.seen[fate.end]++;
      if (fate.end === 'silence') this.waitOut();
    },
  };

  private fate(): Fate {
    const { random } = this;
    this.renewing = false;
    // A page gives up when its third try comes to nothing as well, and rightly: that one lasts until the page knows it.
    const last = this.tab !== undefined && tries(this.tab) >= lastTry;
    if (last) this.seen.lastTries++;
    const isOpen = (): boolean => this.tab?.line.connection.phase === 'open';
    const from = last || random.chance(0.5) ? { from: isOpen } : {};
    const what = random.next();
    if (what < 0.1 && !last) return { end: 'refused' };
    if (what < 0.7) return { end: 'cut', after: random.below(random.pick([300, 1_500])), ...from };
    if (what < 0.8) return { end: 'silence', after: random.below(600), ...from };
    const other = random.pick(codes);
    const code = what < 0.85 ? () => this.bearerEnded() ?? other : () => other;
    return { end: 'close', frames: random.below(6), code, ...from };
  }

  /** The code for it; none where the bearer has just come, whose refusal would end the sign-in, and rightly. */
  private bearerEnded(): number | null {
    if (this.renewing || !this.tab || Date.now() - this.tab.bearer.since < 30_000) return null;
    this.renewing = true;
    this.seen.renewed++;
    return 4402;
  }

  private get tab(): Tab | undefined {
    return this.tabs[this.at];
  }

  /** Nothing comes any more: two keep-alives are missed, in every tab. */
  private waitOut(): void {
    // A try that has not come through yet counts as failed when that much time has gone by.
    if (this.tabs.some((tab) => tries(tab) >= lastTry)) {
      setTimeout(() => this.waitOut(), 5);
      return;
    }
    clock.ahead += 60_000;
    this.tab?.wake();
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
  const shown = Object.entries(conversation).filter(([field]) => !kept.has(field));
  return { ...Object.fromEntries(shown), isUnread: conversation.unreadMessages > 0 };
}

/** The open one, whose page shows no time of the last change. */
const opened = (conversation: Conversation) => ({ ...row(conversation), updatedAt: null });

/** What places a conversation on the stream, what stands in other fields here, and what no page shows. */
const kept = new Set([
  ...['head', 'epoch', 'generation', 'earlierMessages', 'messageSet'],
  ...['unreadMessages', 'currentStatusSummary'],
]);

/** As it would go over the wire: a field that is not there and one that is undefined are the same. */
const plain = (value: object) => JSON.parse(JSON.stringify(value)) as unknown;

/** All that the stores of a tab hold of what the API knows. */
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
  return plain({
    all: all.results.map(row),
    archived: archived.results.map(row),
    tasks: tasks.results,
    open: { ...opened(open), turn: { phase: 'idle' } },
    messages: open.messageSet.map(chatMessage),
  });
}

test(`two tabs hold what the server holds after ${cuts} cuts, seed ${seed}`, async () => {
  // Each has numbers of its own: in which order they take turns depends on the machine.
  const random = seeded(seed);
  const client = await SecondClient.start(product, bearers[0]!, seeded(seed + 1));
  const tabs: Tab[] = [];
  const weathers = networks.map((_, at) => new Weather(seeded(seed + 2 + at), tabs, at));
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
  // What was silent when the storm ended is noticed as silent.
  await until('no last tries', () => Promise.resolve(tabs.every((tab) => tries(tab) < lastTry)));
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
  // Of what changes while nothing runs the lists hear as well.
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

  // It was a storm indeed.
  const [one, two] = weathers;
  for (const what of Object.keys(one!.seen) as (keyof Weather['seen'])[])
    expect(one!.seen[what] + two!.seen[what], what).toBeGreaterThan(0);
  for (const [what, times] of Object.entries(client.did)) expect(times, what).toBeGreaterThan(cuts / 250);
  for (const tab of tabs) tab.close();
});

/** The document's surroundings, as the test environment hands them out. */
declare const jsdom: {
  constructor: new (html: string, settings: { url: string }) => { window: { WebSocket: typeof WebSocket } };
};
