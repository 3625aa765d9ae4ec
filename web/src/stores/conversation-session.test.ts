import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import type { Message } from '@/lib/wire';
import type { EventFrame, EventType } from '@/stream/frames';
import * as line from '@/stream/line';
import { conversationOf, messageOf } from '@/testing/fixtures/wire';
import { eventually } from '@/testing/eventually';
import { hold } from '@/testing/hold';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import {
  closeConversation,
  openConversation,
  catchUp,
  refetch,
  rewindTo,
  sendMessage,
  sessionEvent,
  sessionLog,
  sessionProgress,
  sessionState,
  sessionText,
  stopTurn,
  updateConversation,
} from './conversation-session';

const prompt = { text: 'How many?', dataSources: [1], analystId: null, author: 'Ada Lindqvist' };
const question = messageOf({ id: 'q', seq: 2, role: 'user', text: 'Why?', turnId: 't1' });

function answer(messageSet: Message[] = [], changes = {}): void {
  const head = messageSet.at(-1)?.seq ?? 1;
  server.use(
    http.get(api('discourse/conversations/c1'), () =>
      HttpResponse.json(conversationOf({ messageSet, head, ...changes })),
    ),
  );
}

function event(seq: number, type: EventType, data: object): EventFrame {
  return { type, stream: 'c1', seq, epoch: 1, generation: 0, at: '2026-11-20T10:00:00.000Z', data };
}

/** The content of the transcript: the log publishes before the next frame. */
async function shown(): Promise<string[]> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  return sessionLog.snapshot().map((message) => `${message.role}:${message.text}`);
}

function turn(): unknown {
  return sessionState.current.phase === 'ready' ? sessionState.current.turn : sessionState.current.phase;
}

beforeEach(() => {
  closeConversation();
  vi.spyOn(notify, 'error').mockReturnValue();
});

describe('openConversation', () => {
  it('ShowsTheMessagesAndFollowsFromThere', async () => {
    const follow = vi.spyOn(line, 'followConversation');
    const open = messageOf({ id: 'a', seq: 3, status: 'streaming', text: 'Zü' });
    answer([question, open], { isStreaming: true, generation: 2, epoch: 7 });
    await openConversation('c1');
    expect(await shown()).toEqual(['user:Why?', 'assistant:Zü']);
    expect(turn()).toEqual({ phase: 'running', progress: null });
    expect(follow).toHaveBeenCalledWith(
      'c1',
      expect.objectContaining({ seq: 3, generation: 2, epoch: 7, lengths: [{ message: 'a', bytes: 3 }] }),
    );
  });

  it('KeepsTheMessagesOutOfTheProxy', async () => {
    answer([question]);
    await openConversation('c1');
    expect(sessionState.current).toMatchObject({ phase: 'ready', conversation: { messageSet: [] } });
  });

  it('FetchesOnce', async () => {
    let calls = 0;
    server.use(
      http.get(api('discourse/conversations/c1'), () => {
        calls++;
        return HttpResponse.json(conversationOf());
      }),
    );
    await Promise.all([openConversation('c1'), openConversation('c1')]);
    await openConversation('c1');
    expect(calls).toBe(1);
  });

  it.each([
    [404, 'missing', 'Conversation c1 not found'],
    [403, 'missing', 'You do not have permission to access this conversation'],
    [500, 'failed', 'Failed to load conversation'],
  ])('Says of a %i that it is %s', async (status, phase, said) => {
    server.use(http.get(api('discourse/conversations/c1'), () => problem(status, 'x', 'x')));
    await openConversation('c1');
    expect(sessionState.current.phase).toBe(phase);
    expect(notify.error).toHaveBeenCalledWith(said);
  });

  it('ForgetsAnAnswerThatCameTooLate', async () => {
    answer([question]);
    server.use(
      http.get(api('discourse/conversations/c2'), () =>
        HttpResponse.json(conversationOf({ id: 'c2', name: 'Second' })),
      ),
    );
    const first = openConversation('c1');
    await Promise.all([openConversation('c2'), first]);
    expect(sessionState.current).toMatchObject({ phase: 'ready', id: 'c2' });
    expect(await shown()).toEqual([]);
  });
});

describe('events', () => {
  it('WriteAnAnswerToItsEnd', async () => {
    answer();
    await openConversation('c1');
    sessionEvent('c1', event(2, 'message.created', question));
    sessionProgress('c1', { turnId: 't1', text: 'Running a query…' });
    expect(turn()).toEqual({ phase: 'running', progress: 'Running a query…' });
    sessionEvent('c1', event(3, 'message.created', messageOf({ id: 'a', seq: 3, status: 'streaming' })));
    sessionText('c1', 'a', 'Be');
    sessionText('c1', 'a', 'cause.');
    expect(turn()).toEqual({ phase: 'running', progress: null });
    const object = { id: 'o', name: 'Chart', type: 'highcharts', size: 3 };
    for (let repeat = 0; repeat < 2; repeat++) {
      sessionEvent('c1', event(4, 'message.updated', { id: 'a', displayobjectSet: [object] }));
    }
    sessionEvent('c1', event(5, 'message.updated', { id: 'a', status: 'complete', length: 8 }));
    sessionEvent(
      'c1',
      event(6, 'conversation.streaming-complete', {
        conversationId: 'c1',
        turnId: 't1',
        status: 'complete',
        credits: 12,
      }),
    );
    expect(await shown()).toEqual(['user:Why?', 'assistant:Because.']);
    expect(sessionLog.snapshot()[1]).toMatchObject({ status: 'complete', displayObjects: [object] });
    expect(turn()).toEqual({ phase: 'idle' });
    expect(sessionState.current).toMatchObject({ conversation: { credits: 12, isStreaming: false } });
  });

  it('ShowTheAnswerBeforeItsTurnHasEnded', async () => {
    answer([question], { isStreaming: true });
    await openConversation('c1');
    sessionEvent('c1', event(3, 'message.created', messageOf({ id: 'a', seq: 3, text: 'Yes.' })));
    sessionEvent(
      'c1',
      event(4, 'conversation.streaming-complete', {
        conversationId: 'c1',
        turnId: 't1',
        status: 'complete',
        credits: 1,
      }),
    );
    expect(turn()).toEqual({ phase: 'idle' });
    // Both arrived before the next paint: without the answer the turn would look stopped.
    expect(sessionLog.snapshot().at(-1)).toMatchObject({ id: 'a' });
  });

  it('NeverShowAFailureAsSuccess', async () => {
    answer([question, messageOf({ id: 'a', seq: 3, status: 'streaming', text: 'Be' })]);
    await openConversation('c1');
    const reason = 'The server restarted.';
    sessionEvent('c1', event(4, 'message.updated', { id: 'a', status: 'interrupted', reason, length: 2 }));
    sessionEvent(
      'c1',
      event(5, 'conversation.streaming-complete', {
        conversationId: 'c1',
        turnId: 't1',
        status: 'interrupted',
        reason,
        credits: 0,
      }),
    );
    await shown();
    expect(turn()).toEqual({ phase: 'ended', status: 'interrupted', reason: 'The server restarted.' });
    expect(sessionLog.snapshot()[1]).toMatchObject({
      text: 'Be',
      status: 'interrupted',
      note: reason,
    });
  });

  it('TellTheSameAfterAReload', async () => {
    const failed = messageOf({
      id: 'a',
      seq: 3,
      status: 'failed',
      reason: 'The model did not answer in time.',
    });
    answer([question]);
    await openConversation('c1');
    sessionEvent('c1', event(3, 'message.created', failed));
    await shown();
    const live = sessionLog.snapshot();
    closeConversation();
    answer([question, failed]);
    await openConversation('c1');
    await shown();
    expect(sessionLog.snapshot()).toEqual(live);
    expect(live[1]).toMatchObject({ status: 'failed', note: 'The model did not answer in time.' });
  });

  it('CutAtARewind', async () => {
    answer([question, messageOf({ id: 'a', seq: 3, text: 'Because.' })]);
    await openConversation('c1');
    sessionEvent('c1', event(4, 'conversation.rewound', { fromSeq: 2, generation: 1 }));
    expect(await shown()).toEqual([]);
    expect(sessionState.current).toMatchObject({ conversation: { generation: 1 } });
  });

  it('LoseADeletedConversation', async () => {
    answer();
    await openConversation('c1');
    sessionEvent('c1', event(2, 'conversation.deleted', { id: 'c1' }));
    expect(sessionState.current).toEqual({ phase: 'missing', id: 'c1' });
  });

  it('OfAnotherConversationChangeNothing', async () => {
    answer([question]);
    await openConversation('c1');
    sessionEvent('c2', event(3, 'message.created', messageOf({ id: 'x', seq: 3, text: 'x' })));
    sessionText('c2', 'q', 'x');
    expect(await shown()).toEqual(['user:Why?']);
  });
});

describe('sendMessage', () => {
  it('SendsToAConversationThatWasLeft, and showsNothingOfItInTheOneThatIsOpen', async () => {
    answer([question]);
    await openConversation('c1');
    const bodies: object[] = [];
    server.use(
      http.post(api('discourse/user-text'), async ({ request }) => {
        bodies.push((await request.json()) as object);
        return HttpResponse.json({});
      }),
    );
    expect(await sendMessage('c2', prompt)).toBe(true);
    expect(bodies).toMatchObject([{ conversationId: 'c2', message: { text: 'How many?' } }]);
    expect(bodies[0]).not.toHaveProperty('message.parentMessageId');
    expect(await shown()).toEqual(['user:Why?']);
    expect(turn()).toEqual({ phase: 'idle' });
  });

  it('ShowsTheMessageAtOnce, and sendsItWithItsParent', async () => {
    answer([question]);
    await openConversation('c1');
    const bodies: { message: { id: string; parentMessageId: string } }[] = [];
    server.use(
      http.post(api('discourse/user-text'), async ({ request }) => {
        bodies.push((await request.json()) as never);
        return HttpResponse.json({});
      }),
    );
    const sent = sendMessage('c1', prompt);
    expect(turn()).toEqual({ phase: 'sending' });
    expect(await shown()).toEqual(['user:Why?', 'user:How many?']);
    expect(await sent).toBe(true);
    expect(turn()).toEqual({ phase: 'running', progress: null });
    expect(bodies[0]).toMatchObject({
      conversationId: 'c1',
      dataSources: [1],
      message: { text: 'How many?', parentMessageId: 'q' },
    });
    // The message from the stream replaces the one that was shown before.
    sessionEvent(
      'c1',
      event(
        3,
        'message.created',
        messageOf({ id: bodies[0]!.message.id, seq: 3, role: 'user', text: 'How many?' }),
      ),
    );
    expect(await shown()).toEqual(['user:Why?', 'user:How many?']);
  });

  it('NamesTheBlueprintWhoseStepsAreToAnswer', async () => {
    answer([messageOf({ id: 'q', role: 'user', text: 'Why?', iceBreakerId: 7 })]);
    await openConversation('c1');
    const bodies: unknown[] = [];
    server.use(
      http.post(api('discourse/user-text'), async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({});
      }),
    );
    const [asked] = sessionLog.snapshot();
    expect(asked?.iceBreakerId).toBe(7);
    expect(await sendMessage('c1', { ...prompt, iceBreakerId: asked?.iceBreakerId })).toBe(true);
    expect(await sendMessage('c1', prompt)).toBe(true);
    expect(bodies[0]).toMatchObject({ iceBreakerId: 7 });
    expect(bodies[1]).not.toHaveProperty('iceBreakerId');
  });

  it('RepeatsTheSameIdAtTheRetry', async () => {
    answer();
    await openConversation('c1');
    const ids: string[] = [];
    server.use(
      http.post(api('discourse/user-text'), async ({ request }) => {
        ids.push(((await request.json()) as { message: { id: string } }).message.id);
        return ids.length === 1 ? HttpResponse.error() : HttpResponse.json({});
      }),
    );
    expect(await sendMessage('c1', prompt)).toBe(true);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
  });

  it('TakesTheMessageBackWhenRefused', async () => {
    answer([question]);
    await openConversation('c1');
    server.use(
      http.post(api('discourse/user-text'), () => problem(422, 'invalid', 'The message is too long.')),
    );
    expect(await sendMessage('c1', prompt)).toBe(false);
    expect(await shown()).toEqual(['user:Why?']);
    expect(turn()).toEqual({ phase: 'idle' });
    expect(notify.error).toHaveBeenCalledWith('The message is too long.');
  });

  it.each([
    [401, 0],
    [409, 1],
    [429, 1],
  ])('GivesThePromptBack when the conversation was left before the %d', async (status, told) => {
    answer([question]);
    await openConversation('c1');
    server.use(
      http.post(api('discourse/user-text'), () => {
        closeConversation();
        return problem(status, 'no', 'Not now.');
      }),
    );
    vi.mocked(notify.error).mockClear();
    expect(await sendMessage('c1', prompt)).toBe(false);
    // The sign-in page reports the end of a session; and a closed conversation is not restored.
    expect(notify.error).toHaveBeenCalledTimes(told);
    expect(sessionState.current.phase).toBe('closed');
  });

  it('ShowsWhatIsThereNowAtAConflict', async () => {
    answer([question]);
    await openConversation('c1');
    server.use(http.post(api('discourse/user-text'), () => problem(409, 'conflict', 'Somebody was faster.')));
    answer([question, messageOf({ id: 'n', seq: 3, role: 'user', text: 'From the other tab' })]);
    expect(await sendMessage('c1', prompt)).toBe(false);
    expect(await shown()).toEqual(['user:Why?', 'user:From the other tab']);
  });

  it('KeepsAMessageThatTheStreamHasConfirmed', async () => {
    answer();
    await openConversation('c1');
    server.use(
      http.post(api('discourse/user-text'), async ({ request }) => {
        const { message } = (await request.json()) as { message: { id: string } };
        sessionEvent(
          'c1',
          event(2, 'message.created', messageOf({ ...question, id: message.id, text: 'How many?' })),
        );
        return HttpResponse.error();
      }),
    );
    expect(await sendMessage('c1', prompt)).toBe(true);
    expect(await shown()).toEqual(['user:How many?']);
  });

  it('SendsNothingEmpty', async () => {
    answer();
    await openConversation('c1');
    expect(await sendMessage('c1', { ...prompt, text: '  \n' })).toBe(false);
  });

  it('SendsNothingToASharedConversation', async () => {
    const { abilities } = conversationOf();
    answer([], { ownerStatus: 'shared', abilities: { ...abilities, send: false } });
    await openConversation('c1');
    expect(await sendMessage('c1', prompt)).toBe(false);
    expect(notify.error).toHaveBeenCalledWith('You cannot send messages to a shared conversation');
  });
});

describe('stopTurn', () => {
  it.each([
    [true, 'Why?'],
    [false, null],
  ])('AnswersThePromptOnlyIfItStopped (%s)', async (stopped, text) => {
    answer([question], { isStreaming: true });
    await openConversation('c1');
    server.use(
      http.post(api('analyst/process-control/stop-process-in-redis'), () =>
        HttpResponse.json({ stopped, status: 'stopped', lastMessage: question }),
      ),
    );
    expect(await stopTurn('c1')).toBe(text);
    expect(turn()).toEqual({ phase: 'idle' });
  });

  const stops = (): void =>
    server.use(
      http.post(api('analyst/process-control/stop-process-in-redis'), () =>
        HttpResponse.json({ stopped: true, status: 'stopped', lastMessage: question }),
      ),
      http.post(api('discourse/user-text'), () => HttpResponse.json({})),
    );

  it('ShowsNothingMoreOfWhatTheStoppedTurnSaysOfItself', async () => {
    stops();
    answer([question], { isStreaming: true });
    await openConversation('c1');
    const late = { turnId: 't1', text: 'Running a query…' };
    sessionProgress('c1', late);
    expect(turn()).toEqual({ phase: 'running', progress: 'Running a query…' });
    await stopTurn('c1');
    sessionProgress('c1', late);
    expect(turn()).toEqual({ phase: 'idle' });
    // The next prompt has been sent, and its event has not arrived yet.
    await sendMessage('c1', prompt);
    sessionProgress('c1', late);
    expect(turn()).toEqual({ phase: 'running', progress: null });
    sessionEvent(
      'c1',
      event(3, 'message.created', messageOf({ id: 'q2', seq: 3, role: 'user', turnId: 't2' })),
    );
    sessionProgress('c1', late);
    expect(turn()).toEqual({ phase: 'running', progress: null });
    sessionProgress('c1', { turnId: 't2', text: 'Reading the question…' });
    expect(turn()).toEqual({ phase: 'running', progress: 'Reading the question…' });
  });

  it.each(['complete', 'stopped', 'failed', 'interrupted'])(
    'ShowsNothingMoreOfATurnThatEndedAs %s',
    async (status) => {
      stops();
      answer([question], { isStreaming: true });
      await openConversation('c1');
      const end = { conversationId: 'c1', turnId: 't1', status, credits: 0 };
      sessionEvent('c1', event(3, 'conversation.streaming-complete', end));
      await sendMessage('c1', prompt);
      sessionProgress('c1', { turnId: 't1', text: 'Running a query…' });
      expect(turn()).toEqual({ phase: 'running', progress: null });
    },
  );

  it('ShowsNothingOfATurnThatHadEndedWhenItWasFetched', async () => {
    stops();
    answer([question]);
    await openConversation('c1');
    await sendMessage('c1', prompt);
    sessionProgress('c1', { turnId: 't1', text: 'Running a query…' });
    expect(turn()).toEqual({ phase: 'running', progress: null });
  });

  it('GoesOnRunningWhenTheServerCannotBeAsked', async () => {
    answer([question], { isStreaming: true });
    await openConversation('c1');
    server.use(http.post(api('analyst/process-control/stop-process-in-redis'), () => HttpResponse.error()));
    expect(await stopTurn('c1')).toBeNull();
    expect(turn()).toEqual({ phase: 'running', progress: null });
  });
});

describe('rewindTo', () => {
  it('CutsAndAnswersThePrompt', async () => {
    answer([question, messageOf({ id: 'a', seq: 3, text: 'Because.' })]);
    await openConversation('c1');
    server.use(
      http.post(api('discourse/conversations/c1/rewind'), () =>
        HttpResponse.json({ text: 'Why?', messageSet: [], generation: 1, head: 4 }),
      ),
    );
    expect(await rewindTo('c1', 'q')).toBe('Why?');
    expect(await shown()).toEqual([]);
  });

  it('CutsNothingWhenRefused', async () => {
    answer([question]);
    await openConversation('c1');
    server.use(http.post(api('discourse/conversations/c1/rewind'), () => problem(403, 'forbidden', 'No.')));
    expect(await rewindTo('c1', 'q')).toBeNull();
    expect(await shown()).toEqual(['user:Why?']);
  });
});

describe('updateConversation', () => {
  it('GoesBackWhenRefused', async () => {
    answer();
    await openConversation('c1');
    server.use(
      http.patch(api('discourse/conversations/c1'), () => problem(422, 'invalid', 'Please enter a name')),
    );
    const done = updateConversation('c1', { name: 'x' });
    expect(sessionState.current).toMatchObject({ conversation: { name: 'x' } });
    expect(await done).toBe(false);
    expect(sessionState.current).toMatchObject({ conversation: { name: 'Revenue by region' } });
  });
});

describe('refetch', () => {
  it('KeepsWhatIsShownWhileTheServerDoesNotAnswer, and tries again until it does', async () => {
    answer([question]);
    await openConversation('c1');
    let broken = true;
    const calls = vi.fn();
    server.use(
      http.get(api('discourse/conversations/c1'), () => {
        calls();
        return broken
          ? problem(503, 'unavailable', 'no')
          : HttpResponse.json(conversationOf({ messageSet: [question, messageOf({ id: 'a', seq: 2 })] }));
      }),
    );
    await refetch('c1');
    expect(sessionState.current).toMatchObject({ phase: 'ready', behind: true });
    expect(sessionLog.snapshot()).toHaveLength(1);
    expect(notify.error).not.toHaveBeenCalled();
    // Without an action of the person.
    await eventually(() => expect(calls.mock.calls.length).toBeGreaterThan(2));
    expect(sessionState.current).toMatchObject({ phase: 'ready', behind: true });
    broken = false;
    await catchUp();
    expect(sessionState.current).toMatchObject({ phase: 'ready', behind: false });
    await shown();
    expect(sessionLog.snapshot()).toHaveLength(2);
  });

  it('TakesAwayWhatMayNotBeReadAnyMore', async () => {
    answer([question]);
    await openConversation('c1');
    server.use(http.get(api('discourse/conversations/c1'), () => problem(403, 'U401', 'no')));
    await refetch('c1');
    expect(sessionState.current).toEqual({ phase: 'missing', id: 'c1' });
  });

  it('KeepsAPromptThatTheServerHasNotSeen', async () => {
    answer([question]);
    await openConversation('c1');
    const { held, release } = hold();
    server.use(
      http.post(api('discourse/user-text'), async () => {
        await held;
        return HttpResponse.json({});
      }),
    );
    const sent = sendMessage('c1', prompt);
    await shown();
    await refetch('c1');
    expect(await shown()).toEqual(['user:Why?', 'user:How many?']);
    release();
    await sent;
  });

  it.each(['before', 'after'])(
    'discards a prompt that was taken and cut, where that is fetched %s its answer comes',
    async (when) => {
      answer([question]);
      await openConversation('c1');
      const { held, release } = hold();
      server.use(
        http.post(api('discourse/user-text'), async () => {
          await held;
          return HttpResponse.json({});
        }),
      );
      const sent = sendMessage('c1', prompt);
      await shown();
      answer([question], { generation: 1, head: 9 });
      if (when === 'before') await refetch('c1');
      release();
      await sent;
      if (when === 'after') await refetch('c1');
      expect(await shown()).toEqual(['user:Why?']);
      expect(turn()).toEqual({ phase: 'idle' });
    },
  );
});
