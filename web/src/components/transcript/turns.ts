import type { MessageStatus } from '@/lib/wire';
import { replacementFor } from './answer-text';
import type { TranscriptMessage } from './message';

/** A question and all messages that answer it. */
export interface Turn {
  /** It does not change as long as the turn exists. */
  readonly key: string;
  /** `null` if it is before the loaded messages, or the turn has none. */
  readonly question: TranscriptMessage | null;
  /** In the order in which they were sent. */
  readonly replies: readonly TranscriptMessage[];
}

/** Messages and the turns that they make up. */
export interface Grouping {
  readonly messages: readonly TranscriptMessage[];
  readonly turns: readonly Turn[];
  /** Where each turn begins among the messages. */
  readonly starts: readonly number[];
}

export const noTurns: Grouping = { messages: [], turns: [], starts: [] };

/**
 * Groups messages, oldest first, into turns. Given the previous grouping, only the turns from the first changed
 * message on are rebuilt: all others stay the same objects, so that a token renders only one turn.
 */
export function groupTurns(messages: readonly TranscriptMessage[], before: Grouping = noTurns): Grouping {
  if (messages === before.messages) return before;
  const kept = keptTurns(messages, before);
  const turns = before.turns.slice(0, kept);
  const starts = before.starts.slice(0, kept);
  let start = kept < before.turns.length ? (before.starts[kept] ?? 0) : before.messages.length;
  if (kept === 0) start = 0;
  for (let at = start + 1; at <= messages.length; at++) {
    const next = messages[at];
    if (next !== undefined && !beginsTurn(next, messages[at - 1])) continue;
    turns.push(turnOf(messages.slice(start, at)));
    starts.push(start);
    start = at;
  }
  return { messages, turns, starts };
}

/** The number of turns at the beginning that have not changed. The last one may have got another message. */
function keptTurns(messages: readonly TranscriptMessage[], { messages: old, starts }: Grouping): number {
  let same = 0;
  while (same < old.length && same < messages.length && old[same] === messages[same]) same++;
  let kept = 0;
  while (kept < starts.length && (starts[kept + 1] ?? Number.POSITIVE_INFINITY) <= same) kept++;
  return kept;
}

/** A question always begins a turn; any other message only if it belongs to another turn. */
function beginsTurn(message: TranscriptMessage, previous: TranscriptMessage | undefined): boolean {
  if (message.role === 'user') return true;
  const [mine, other] = [message.turnId ?? null, previous?.turnId ?? null];
  return mine !== null && other !== null && mine !== other;
}

function turnOf(messages: readonly TranscriptMessage[]): Turn {
  const [first] = messages;
  const question = first?.role === 'user' ? first : null;
  // The id of a question is known before the server has accepted it; the id of its turn is not.
  const key = question?.id ?? `turn-${first?.turnId ?? first?.id ?? ''}`;
  return { key, question, replies: question === null ? messages : messages.slice(1) };
}

/** The parts of a turn by where they are shown. */
export interface TurnParts {
  /** The answer, one message for each step of a blueprint. */
  readonly answers: readonly TranscriptMessage[];
  /** The workings, in chronological order. */
  readonly workings: readonly TranscriptMessage[];
  /** The summaries that close the turn, if they are shown in addition to an answer. */
  readonly summaries: readonly TranscriptMessage[];
  /** The state of the turn, independent of what is shown of it. */
  readonly status: MessageStatus;
  /** The message that says how the turn ended without success. */
  readonly end: TranscriptMessage | null;
}

/**
 * Determines by roles which messages of a turn are its answer: for each step the last message of the assistant that
 * is not part of the workings. Messages that do not pass the filter are ignored. Without a message of the
 * assistant, the summary is the answer, with the remarks of the answers that it stands for.
 */
export function partsOf(
  turn: Turn,
  passes: (message: TranscriptMessage) => boolean,
  isRunning: boolean,
): TurnParts {
  const shown = turn.replies.filter(passes);
  const summaries = shown.filter((message) => message.role === 'summary' && hasContent(message));
  const spoken = answersOf(shown.filter((message) => message.role === 'assistant' && hasContent(message)));
  const answers = spoken.length > 0 ? spoken : withRemarks(summaries, turn);
  const workings = shown.filter(
    (message) => message.role !== 'summary' && !answers.includes(message) && hasContent(message),
  );
  return {
    answers,
    workings,
    summaries: spoken.length > 0 ? summaries : [],
    ...endOf(turn, isRunning),
  };
}

/** The summaries of a turn whose answers are not shown: the last one closes it, and stands for them. */
function withRemarks(summaries: readonly TranscriptMessage[], turn: Turn): readonly TranscriptMessage[] {
  const last = summaries.at(-1);
  if (last === undefined) return summaries;
  const hidden = answersOf(turn.replies.filter((message) => message.role === 'assistant'));
  return [...summaries.slice(0, -1), replacementFor(last, hidden)];
}

/** If a message was cut off before it had any content, only its end is shown. */
function hasContent(message: TranscriptMessage): boolean {
  return message.text !== '' || message.displayObjects.length > 0 || message.role === 'internal';
}

function answersOf(spoken: readonly TranscriptMessage[]): readonly TranscriptMessage[] {
  const byStep = new Map<number, TranscriptMessage>();
  for (const message of spoken) {
    if (message.part !== 'working') byStep.set(message.planStep ?? 0, message);
  }
  return [...byStep.values()];
}

function endOf({ question, replies }: Turn, isRunning: boolean): Pick<TurnParts, 'status' | 'end'> {
  if (isRunning || replies.some((message) => message.status === 'streaming'))
    return { status: 'streaming', end: null };
  const end = replies.findLast((message) => message.status !== 'complete') ?? null;
  if (end !== null) return { status: end.status, end };
  // A failed or interrupted turn leaves a message that says so; a stop before the first word leaves none.
  return { status: question !== null && replies.length === 0 ? 'stopped' : 'complete', end: null };
}

/** The index of the turn that a message belongs to; −1 for none. */
export function turnIndexOf(turns: readonly Turn[], messageId: string): number {
  return turns.findIndex(
    ({ question, replies }) =>
      question?.id === messageId || replies.some((message) => message.id === messageId),
  );
}
