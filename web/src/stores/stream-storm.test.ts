import { describe, expect, it, vi } from 'vitest';
import * as api from '@/api/conversations';
import { ApiError } from '@/api/errors';
import { notify } from '@/lib/notify';
import type { Conversation, ConversationPage } from '@/lib/wire';
import { ModelServer } from '@/testing/model-server';
import { unsentSeq } from '@/lib/chat-message';
import type { ModelSocket } from '@/testing/model-socket';
import { type Random, seeded } from '@/testing/random';
import { nobody } from '@/testing/sign-in';
import { byteLength } from '@/stream/utf8';
import {
  closeConversation,
  loadEarlier,
  openConversation,
  sendMessage,
  sessionLog,
  sessionState,
} from './conversation-session';
import { openLog } from './conversation-session/session';
import {
  conversationsState,
  loadConversations,
  readConversation,
  resetConversations,
} from './conversations-store';
import { meState, signInStep } from './me-store';
import { startStream, stopStream } from './stream-bindings';

vi.mock('@/api/conversations');
vi.mock('@/api/user', () => ({
  streamUrl: () => 'ws://here/stream',
  keepAlive: () => Promise.resolve(),
  getMe: () => Promise.resolve({ uuid: 'u' }),
  logOut: () => undefined,
}));

const disconnects = 1_000;

/** Calls whose answers the test delivers when it wants, late or never. */
class Calls {
  /** Answers that arrived after the server's state had changed. */
  late = 0;
  failed = 0;
  answered = 0;
  private waiting: { settle: (fails: boolean) => void; ticks: number }[] = [];

  constructor(private readonly random: Random) {}

  /**
   * The server acts at some moment between the request and its answer; a call whose answer is lost has had its
   * effect.
   */
  ask<T>(act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const answered = (): (() => void) => {
        try {
          const value = act();
          return () => resolve(value);
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          return () => reject(error);
        }
      };
      const early = this.random.chance(0.5) ? answered() : null;
      const settle = (fails: boolean): void => {
        if (fails) reject(new ApiError(0, 'network', ''));
        else (early ?? answered())();
      };
      this.waiting.push({ settle, ticks: 0 });
    });
  }

  /** Counts one more step in which they wait. */
  tick(): void {
    for (const call of this.waiting) call.ticks++;
  }

  /** Answers a random one, or lets it fail. */
  answer(fails: boolean): boolean {
    if (this.waiting.length === 0) return false;
    const [call] = this.waiting.splice(this.random.below(this.waiting.length), 1);
    this.answered++;
    if (call && call.ticks > 3) this.late++;
    if (fails) this.failed++;
    call?.settle(fails);
    return true;
  }
}

/** Waits until the microtasks have run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await Promise.resolve();
}

function setup(seed: number) {
  const random = seeded(seed);
  vi.useFakeTimers({ now: new Date('2026-11-20T08:00:00Z') });
  vi.spyOn(Math, 'random').mockImplementation(random.next);
  vi.spyOn(notify, 'error').mockReturnValue();
  const ids = ['c1', 'c2', 'c3'];
  const server = new ModelServer(random, ids);
  const calls = new Calls(random);
  const page = (results: Conversation[]): ConversationPage => ({
    results,
    logHead: server.logHead,
    pagination: { count: results.length, next: null, previous: null },
  });
  vi.mocked(api.getConversation).mockImplementation((id, { size, before }) =>
    // Short pages, so that there are earlier ones.
    calls.ask(() => server.answer(id, Math.min(size, 12), before)),
  );
  vi.mocked(api.listConversations).mockImplementation(() => calls.ask(() => page(server.list())));
  vi.mocked(api.listRunning).mockImplementation(() =>
    calls.ask(() => page(server.list().filter((c) => c.isStreaming))),
  );
  vi.mocked(api.markRead).mockImplementation((id) => calls.ask(() => server.read(id)));
  vi.mocked(api.sendPrompt).mockImplementation(({ conversationId, message }) =>
    calls.ask(() => {
      const { id, text, parentMessageId } = message;
      if (!server.prompt(conversationId, id ?? '', text ?? '', parentMessageId ?? undefined))
        throw new ApiError(409, 'conflict', 'The conversation has gone on');
    }),
  );
  vi.stubGlobal('WebSocket', function open(): ModelSocket {
    return server.connect();
  });
  resetConversations();
  closeConversation();
  nobody();
  signInStep({
    type: 'held',
    bearer: { token: 'token', expires: Number.POSITIVE_INFINITY, renewable: true },
  });
  return { random, ids, server, calls };
}

/** An action of a person, or of a page. */
function act(random: Random, ids: readonly string[]): void {
  const { current } = sessionState;
  const what = random.next();
  if (what < 0.3 || current.phase !== 'ready') void openConversation(random.pick(ids));
  else if (what < 0.6) void loadEarlier(current.id);
  else if (current.turn.phase === 'idle' || current.turn.phase === 'ended') {
    const prompt = { text: `asked ${what}`, dataSources: [], analystId: null, author: null };
    void sendMessage(current.id, prompt);
  }
}

/** The page of a conversation marks it as read while it is open. */
function look(): void {
  const { current } = sessionState;
  if (current.phase === 'ready') void readConversation(current.id);
  // A failed list can be loaded again.
  void loadConversations('all');
}

/** Delivers all frames and answers all calls, until nothing more happens. */
async function quiet(server: ModelServer, calls: Calls): Promise<void> {
  for (let round = 0; round < 40; round++) {
    look();
    await vi.advanceTimersByTimeAsync(4_000);
    for (const socket of server.sockets) {
      socket.open();
      // The server is alive, so that no client reconnects to find out.
      socket.push('user', { type: 'keep-alive' });
      while (!socket.isQuiet) {
        socket.deliver();
        await settled();
      }
    }
    while (calls.answer(false)) await settled();
  }
}

/**
 * Checks that everything that is shown at this moment is correct: for each message a beginning of the written text,
 * never shorter than before; all messages from the first loaded one on, each once; and the progress of a turn, here
 * its name, only as long as it is the newest one and running.
 */
function watcher(server: ModelServer, calls: Calls, seen: { progress: number }): () => void {
  let before = { answered: -1, lengths: new Map<string, number>() };
  const ended = new Set<string | null>();
  return () => {
    const { current } = sessionState;
    if (current.phase !== 'ready') return;
    const newest =
      openLog()
        .now()
        .findLast(({ seq }) => seq !== unsentSeq)?.turnId ?? null;
    if (current.turn.phase === 'idle' || current.turn.phase === 'ended') ended.add(newest);
    else if (current.turn.phase === 'running' && current.turn.progress !== null) {
      seen.progress++;
      expect(current.turn.progress).toBe(newest);
      expect(ended).not.toContain(newest);
    }
    const held = openLog()
      .now()
      .filter(({ seq }) => seq !== unsentSeq);
    const wrong = held.find(({ id, text }) => server.texts.get(id)?.startsWith(text) !== true);
    expect(wrong).toBeUndefined();
    // A conversation that is fetched again may be slightly older.
    const same = before.answered === calls.answered;
    const shorter = held.find(({ id, text }) => same && text.length < (before.lengths.get(id) ?? 0));
    expect(shorter).toBeUndefined();
    before = { answered: calls.answered, lengths: new Map(held.map(({ id, text }) => [id, text.length])) };
    const truth = server.answer(current.id, 1_000);
    if (truth.generation !== current.conversation.generation) return;
    const from = truth.messageSet.findIndex(({ id }) => id === held[0]?.id);
    const known = truth.messageSet.slice(from, from + held.length);
    expect(held.map(({ id }) => id)).toEqual(held.length === 0 ? [] : known.map(({ id }) => id));
  };
}

const plain = ({ id, seq, role, text, status, planStep }: Record<string, unknown>) => ({
  id,
  seq,
  role,
  text,
  status,
  planStep,
});

/*
 * Each of these errors, introduced into the client one at a time, makes the test fail: a repeated event is applied
 * again; a piece of text beyond the end is appended; the position is one too low after a fetch; the generation of a
 * rewind is not stored; an event of an older generation is applied; a hello has an older position in the person's
 * log; a conversation that was left is still followed; a conversation that another tab has read stays unread; a
 * rewind does not move the conversation in the list; the progress of a turn is shown after its end.
 */
describe('a client of a line that is cut a thousand times', () => {
  const seed = Number(process.env['PARLEY_TEST_SEED'] ?? Date.now() % 1_000_000_000);

  it(`has the same state as the server, seed ${seed}`, async () => {
    const { random, ids, server, calls } = setup(seed);
    for (let before = 0; before < 50; before++) server.live(random.pick(ids));
    startStream('u', server.logHead);
    void loadConversations('all');
    void openConversation('c1');
    const seen = { cuts: 0, refused: 0, progress: 0 };
    server.onHello = (cursor, before) => {
      // It requests what it does not have, and no more: with an older position all of that would be sent again.
      if (before)
        expect(cursor.user, 'the place in the person’s log').toBeGreaterThanOrEqual(before.heard ?? 0);
      const { current } = sessionState;
      const open = current.phase === 'closed' || current.phase === 'missing' ? [] : [current.id];
      expect(open).toEqual(expect.arrayContaining(Object.keys(cursor.conversations)));
      for (const at of Object.values(cursor.conversations)) {
        const text = at.message === undefined ? undefined : openLog().get(at.message)?.text;
        if (text !== undefined) expect(at.offset, 'the bytes that are shown').toBe(byteLength(text));
        const newest = openLog()
          .now()
          .filter(({ seq }) => seq !== unsentSeq)
          .at(-1);
        expect(at.seq, 'the message that is shown last').toBeGreaterThanOrEqual(newest?.seq ?? 0);
        if (current.phase === 'ready') expect(at.generation).toBe(current.conversation.generation);
      }
    };
    const watch = watcher(server, calls, seen);
    const happen = async (): Promise<void> => {
      const socket = server.sockets.at(-1);
      const alive = socket !== undefined && !socket.closed;
      if (socket?.ready === true) seen.refused = 0;
      const what = random.next();
      if (what < 0.35) server.live(random.pick(ids));
      else if (what < 0.7) {
        socket?.open();
        for (let frames = random.below(6); frames > 0; frames--) socket?.deliver();
      } else if (what < 0.82) calls.answer(random.chance(0.1));
      else if (what < 0.86) act(random, ids);
      else if (what < 0.88) look();
      else if (!alive || (what < 0.9 && socket.ready))
        await vi.advanceTimersByTimeAsync(random.below(15_000));
      // A connection that does not become ready is a failed try: after four in a row the page gives up, which is
      // correct.
      else if (socket.ready || seen.refused++ < 2) {
        socket.cut(random.pick([1006, 1006, 1011, 4408, 4429, 4503]));
        seen.cuts++;
      }
    };
    while (seen.cuts < disconnects) {
      await happen();
      calls.tick();
      await settled();
      watch();
    }
    const stormy = server.sockets.length;
    server.finish();
    await quiet(server, calls);
    // On a stable connection, so that only events report it: answers end everywhere, and another tab reads some of
    // them.
    for (const id of ids) server.prompt(id, `last ${id}`, 'last');
    server.finish();
    await quiet(server, calls);
    server.read('c1');
    server.read('c2');
    await quiet(server, calls);
    const before = server.list().map(({ id }) => id);
    server.rewind('c1');
    expect(
      server.list().map(({ id }) => id),
      'the order of the list',
    ).not.toEqual(before);
    await quiet(server, calls);

    // Check that there were enough failures.
    expect(stormy).toBeGreaterThanOrEqual(disconnects);
    expect(server.resets).toBeGreaterThan(20);
    expect(server.resyncs).toBeGreaterThan(5);
    expect(server.sockets.reduce((sum, { swaps }) => sum + swaps, 0)).toBeGreaterThan(20);
    // A conversation that was left is not followed any more.
    expect([...(server.sockets.at(-1)?.follows ?? [])]).toEqual(
      sessionState.current.phase === 'ready' ? [sessionState.current.id] : [],
    );
    expect(server.sockets.reduce((sum, { repeats }) => sum + repeats, 0)).toBeGreaterThan(100);
    expect(calls.late).toBeGreaterThan(50);
    expect(calls.failed).toBeGreaterThan(20);
    expect(seen.progress).toBeGreaterThan(20);

    expect(meState.signIn.phase).not.toBe('ended');
    const { current } = sessionState;
    if (current.phase !== 'ready') throw new Error(`nothing is open: ${current.phase}`);
    const truth = server.answer(current.id, 1_000);
    const held = sessionLog.snapshot();
    // From its first loaded message on, it has all messages.
    const from = held[0]?.seq ?? 0;
    expect(held.length).toBeGreaterThan(0);
    expect(held.map((message) => plain({ ...message }))).toEqual(
      truth.messageSet
        .filter(({ seq }) => seq >= from)
        .map((message) => plain({ ...message, planStep: message.annotation?.planStep })),
    );
    expect(current.earlier.before === null).toBe(from === (truth.messageSet[0]?.seq ?? 0));
    expect(current.conversation).toMatchObject({
      name: truth.name,
      isStreaming: false,
      generation: truth.generation,
    });
    expect(['idle', 'ended']).toContain(current.turn.phase);
    const list = server.list();
    expect(conversationsState.lists.all.ids).toEqual(list.map(({ id }) => id));
    for (const { id, name, unreadMessages } of list) {
      const { [id]: shown } = conversationsState.byId;
      expect(shown).toMatchObject({ name, isStreaming: false });
      expect((shown?.unreadMessages ?? 0) > 0, `unread ${id}`).toBe(unreadMessages > 0);
    }
    stopStream();
    closeConversation();
  });
});
