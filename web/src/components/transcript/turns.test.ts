import { describe, expect, it } from 'vitest';
import type { MessageRole } from '@/lib/wire';
import { type Grouping, groupTurns, noTurns, partsOf, type Turn, turnIndexOf } from './turns';
import type { TranscriptMessage } from './message';

function said(id: string, role: MessageRole, changes: Partial<TranscriptMessage> = {}): TranscriptMessage {
  return {
    id,
    role,
    text: `text of ${id}`,
    status: 'complete',
    createdAt: '2026-11-20T08:00:00.000Z',
    displayObjects: [],
    ...changes,
  };
}

const everything = () => true;

/** The ids of each turn, the question first; `-` stands for a missing question. */
function ids({ turns }: Grouping): string[] {
  return turns.map(({ question, replies }) =>
    [question?.id ?? '-', ...replies.map(({ id }) => id)].join(' '),
  );
}

function only(messages: readonly TranscriptMessage[]): Turn {
  const [turn] = groupTurns(messages).turns;
  if (turn === undefined) throw new Error('no turn');
  return turn;
}

function idsOf(messages: readonly TranscriptMessage[]): string {
  return messages.map(({ id }) => id).join(' ');
}

const planned = [
  said('q', 'user', { turnId: 't' }),
  said('plan', 'coordinator', { turnId: 't' }),
  said('sql', 'user_proxy', { turnId: 't' }),
  said('debug', 'internal', { turnId: 't' }),
  said('a', 'assistant', { turnId: 't' }),
  said('s', 'summary', { turnId: 't' }),
];

describe('groupTurns', () => {
  it('makes one turn of a question and everything that answers it', () => {
    expect(ids(groupTurns(planned))).toEqual(['q plan sql debug a s']);
  });

  it('begins a turn with each question, also of the same words', () => {
    expect(ids(groupTurns([said('q', 'user'), said('q2', 'user'), said('a', 'assistant')]))).toEqual([
      'q',
      'q2 a',
    ]);
  });

  it('keeps a turn whose question is on an earlier page apart from the next one', () => {
    const messages = [said('a', 'assistant', { turnId: 't' }), said('q2', 'user'), said('b', 'assistant')];
    expect(ids(groupTurns(messages))).toEqual(['- a', 'q2 b']);
  });

  it('distinguishes turns without a question by what they belong to', () => {
    const messages = [said('a', 'assistant', { turnId: 't' }), said('b', 'summary', { turnId: 'u' })];
    expect(ids(groupTurns(messages))).toEqual(['- a', '- b']);
  });

  it('names a turn by its question, before and after the server knows of it', () => {
    const sent = only([said('q', 'user', { turnId: null })]);
    const taken = only([said('q', 'user', { turnId: 't' }), said('a', 'assistant', { turnId: 't' })]);
    expect(taken.key).toBe(sent.key);
  });

  it('has no turn when nothing was said', () => {
    expect(groupTurns([])).toEqual(noTurns);
  });

  it('makes only the turn again that a token changed', () => {
    const messages = [
      ...planned,
      said('q2', 'user'),
      said('b', 'assistant'),
      said('q3', 'user'),
      said('c', 'assistant'),
    ];
    const before = groupTurns(messages);
    const after = groupTurns(messages.with(-1, said('c', 'assistant', { text: 'more' })), before);
    expect(after.turns.slice(0, 2)).toEqual(before.turns.slice(0, 2));
    expect(after.turns.map((turn, at) => turn === before.turns[at])).toEqual([true, true, false]);
    expect(ids(after)).toEqual(ids(before));
  });

  it.each([
    ['an answer that comes', [...planned, said('more', 'assistant', { turnId: 't' })]],
    ['a question that comes', [...planned, said('q2', 'user')]],
    ['a rewind', planned.slice(0, 1)],
    ['a rewind of everything', []],
    ['an earlier page', [said('q0', 'user'), said('a0', 'assistant'), ...planned]],
    ['another conversation', [said('x', 'user')]],
  ])('comes to the same as from the start after %s', (_, messages) => {
    expect(groupTurns(messages, groupTurns(planned))).toEqual(groupTurns(messages));
  });

  it('answers the same for the same messages', () => {
    const before = groupTurns(planned);
    expect(groupTurns(planned, before)).toBe(before);
  });
});

describe('partsOf', () => {
  it('puts the answer first and what led to it into the workings', () => {
    const { answers, workings, summaries, status } = partsOf(only(planned), everything, false);
    expect([idsOf(answers), idsOf(workings), idsOf(summaries), status]).toEqual([
      'a',
      'plan sql debug',
      's',
      'complete',
    ]);
  });

  it('takes the summary for the answer when a filter shows no other', () => {
    const executive = (message: TranscriptMessage) =>
      ['user', 'summary', 'coordinator'].includes(message.role);
    const { answers, workings, summaries } = partsOf(only(planned), executive, false);
    expect([idsOf(answers), idsOf(workings), idsOf(summaries)]).toEqual(['s', 'plan', '']);
  });

  it('counts what a model says before it calls a tool among the workings', () => {
    const turn = only([
      said('q', 'user'),
      said('aside', 'assistant', { part: 'working' }),
      said('sql', 'user_proxy'),
      said('a', 'assistant'),
    ]);
    const { answers, workings } = partsOf(turn, everything, false);
    expect([idsOf(answers), idsOf(workings)]).toEqual(['a', 'aside sql']);
  });

  it('has an answer that was spoken before its last tool', () => {
    const turn = only([
      said('q', 'user'),
      said('a', 'assistant', { part: 'answer' }),
      said('sql', 'user_proxy'),
    ]);
    const { answers, workings } = partsOf(turn, everything, false);
    expect([idsOf(answers), idsOf(workings)]).toEqual(['a', 'sql']);
  });

  it('takes the last word of the assistant when the server has not said which is the answer', () => {
    const turn = only([
      said('q', 'user'),
      said('one', 'assistant'),
      said('sql', 'user_proxy'),
      said('two', 'assistant'),
    ]);
    expect(idsOf(partsOf(turn, everything, false).answers)).toBe('two');
  });

  it('has an answer for each step of a blueprint, the corrected one in place of the first', () => {
    const turn = only([
      said('q', 'user'),
      said('plan', 'coordinator'),
      said('one', 'assistant', { planStep: 1, analyst: 'north' }),
      said('check', 'assistant', { planStep: 1, part: 'working' }),
      said('one again', 'assistant', { planStep: 1 }),
      said('sql', 'user_proxy', { planStep: 2 }),
      said('two', 'assistant', { planStep: 2, analyst: 'south' }),
      said('s', 'summary'),
    ]);
    const { answers, workings } = partsOf(turn, everything, false);
    expect(idsOf(answers)).toBe('one again two');
    expect(idsOf(workings)).toBe('plan one check sql');
  });

  it.each(['stopped', 'interrupted', 'failed'] as const)(
    'tells that it was %s, whatever the filter shows',
    (status) => {
      const end = said('a', 'assistant', { status });
      const parts = partsOf(only([said('q', 'user'), end]), () => false, false);
      expect([parts.status, parts.end, parts.answers]).toEqual([status, end, []]);
    },
  );

  it('shows nothing of a message that failed before its first word but its end', () => {
    const end = said('a', 'assistant', { status: 'failed', text: '' });
    const parts = partsOf(only([said('q', 'user'), end]), everything, false);
    expect([parts.answers, parts.workings, parts.end]).toEqual([[], [], end]);
  });

  it('was stopped when nothing answers and nothing runs', () => {
    expect(partsOf(only([said('q', 'user')]), everything, false).status).toBe('stopped');
    expect(partsOf(only([said('q', 'user')]), everything, true).status).toBe('streaming');
  });

  it('is under way while a message streams, also between two of them', () => {
    const turn = only([said('q', 'user'), said('a', 'assistant', { status: 'streaming' })]);
    expect(partsOf(turn, everything, false).status).toBe('streaming');
    expect(partsOf(only(planned), everything, true).status).toBe('streaming');
  });

  it('tells nothing of the end of a turn that was cut by a page', () => {
    expect(partsOf(only([said('s', 'summary')]), everything, false).status).toBe('complete');
  });
});

describe('turnIndexOf', () => {
  it('finds the turn of a question and of a reply', () => {
    const { turns } = groupTurns([said('q0', 'user'), ...planned]);
    expect(['q0', 'q', 'debug', 'nobody'].map((id) => turnIndexOf(turns, id))).toEqual([0, 1, 1, -1]);
  });
});
