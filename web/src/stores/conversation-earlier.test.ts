import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { conversationOf, messageOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import {
  catchUp,
  closeConversation,
  loadEarlier,
  openConversation,
  refetch,
  sessionEvent,
  sessionLog,
  sessionState,
} from './conversation-session';

/** A conversation of `count` messages, from `m1` on, on a server that sends them in pages. */
interface Served {
  count: number;
  generation: number;
  asked: { size: number; before: number | null }[];
  fail: boolean;
  wait: Promise<void>;
}

function serve(count: number): Served {
  const served: Served = { count, generation: 0, asked: [], fail: false, wait: Promise.resolve() };
  server.use(
    http.get(api('discourse/conversations/c1'), async ({ request }) => {
      const query = new URL(request.url).searchParams;
      const size = Number(query.get('message_page_size'));
      const before = query.get('messages_before');
      served.asked.push({ size, before: before === null ? null : Number(before) });
      const { generation } = served;
      const last = Math.min(served.count, before === null ? Infinity : Number(before) - 1);
      const first = Math.max(1, last - size + 1);
      const messageSet = Array.from({ length: last - first + 1 }, (_, i) =>
        messageOf({ id: `m${first + i}`, seq: first + i, text: `${generation}:${first + i}` }),
      );
      await served.wait;
      if (served.fail) return problem(503, 'x', 'x');
      return HttpResponse.json(
        conversationOf({
          messageSet,
          head: served.count,
          generation,
          ...(first > 1 && { earlierMessages: first }),
        }),
      );
    }),
  );
  return served;
}

function ids(): string[] {
  return sessionLog.snapshot().map((message) => message.id);
}

/** The ids from one position to the other. */
function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => `m${first + i}`);
}

function earlier(): unknown {
  return sessionState.current.phase === 'ready' ? sessionState.current.earlier : sessionState.current.phase;
}

beforeEach(() => {
  closeConversation();
  vi.spyOn(notify, 'error').mockReturnValue();
});

describe('a long conversation', () => {
  it('ComesInPagesFromItsEnd', async () => {
    const served = serve(250);
    await openConversation('c1');
    expect(ids()).toEqual(range(151, 250));
    await loadEarlier('c1');
    await loadEarlier('c1');
    expect(ids()).toEqual(range(1, 250));
    expect(earlier()).toEqual({ before: null, status: 'idle' });
    await loadEarlier('c1');
    expect(served.asked).toEqual([
      { size: 100, before: null },
      { size: 100, before: 151 },
      { size: 100, before: 51 },
    ]);
  });

  it('IsAskedForOnePageAtATime', async () => {
    const served = serve(250);
    await openConversation('c1');
    await Promise.all([loadEarlier('c1'), loadEarlier('c1')]);
    expect(ids()).toEqual(range(51, 250));
    expect(served.asked).toHaveLength(2);
  });

  it('ComesInLargePages, when something is searched for', async () => {
    const served = serve(2_500);
    await openConversation('c1');
    await loadEarlier('c1', true);
    expect(ids()).toEqual(range(1_401, 2_500));
    expect(served.asked[1]).toEqual({ size: 1_000, before: 2_401 });
  });

  it('SaysThatAPageFailed, and is asked again when the server is back', async () => {
    const served = serve(250);
    await openConversation('c1');
    served.fail = true;
    await loadEarlier('c1');
    expect(earlier()).toEqual({ before: 151, status: 'failed' });
    expect(ids()).toEqual(range(151, 250));
    served.fail = false;
    await catchUp();
    expect(earlier()).toEqual({ before: 151, status: 'idle' });
    await loadEarlier('c1');
    expect(ids()).toEqual(range(51, 250));
  });

  it('KeepsWhatWasLoadedOfIt, when it is fetched again', async () => {
    const served = serve(3_000);
    await openConversation('c1');
    await loadEarlier('c1', true);
    await loadEarlier('c1', true);
    served.count = 3_005;
    await refetch('c1');
    expect(ids()).toEqual(range(901, 3_005));
    expect(earlier()).toEqual({ before: 901, status: 'idle' });
    expect(served.asked.at(-1)).toEqual({ size: 1_000, before: null });
    await loadEarlier('c1');
    expect(ids()).toEqual(range(801, 3_005));
  });

  it('ShowsNoGap when more was missed than a page', async () => {
    const served = serve(150);
    await openConversation('c1');
    served.count = 400;
    await refetch('c1');
    expect(ids()).toEqual(range(301, 400));
    expect(earlier()).toEqual({ before: 301, status: 'idle' });
  });

  it('KeepsNothingOfBeforeARewindThatItDidNotHearOf', async () => {
    const served = serve(1_500);
    await openConversation('c1');
    await loadEarlier('c1', true);
    served.generation = 1;
    await refetch('c1');
    expect(ids()).toEqual(range(501, 1_500));
    expect(sessionLog.snapshot().every((message) => message.text.startsWith('1:'))).toBe(true);
  });

  it('DropsAPageThatWasReadBeforeARewind', async () => {
    const served = serve(250);
    await openConversation('c1');
    const { held, release } = hold();
    served.wait = held;
    const loaded = loadEarlier('c1');
    const at = '2026-11-20T10:00:00.000Z';
    const data = { fromSeq: 120, generation: 1 };
    const place = { stream: 'c1', seq: 251, epoch: 1, generation: 1 };
    sessionEvent('c1', { type: 'conversation.rewound', ...place, at, data });
    release();
    await loaded;
    expect(sessionLog.snapshot().filter((message) => message.seq < 151)).toEqual([]);
    expect(earlier()).toEqual({ before: 151, status: 'idle' });
    Object.assign(served, { generation: 1, count: 119 });
    await loadEarlier('c1');
    expect(ids()).toEqual(range(20, 119));
  });

  it('DropsAPageOfAConversationThatWasLeft', async () => {
    const served = serve(250);
    await openConversation('c1');
    const { held, release } = hold();
    served.wait = held;
    const loaded = loadEarlier('c1');
    closeConversation();
    release();
    await loaded;
    expect(ids()).toEqual([]);
  });
});
