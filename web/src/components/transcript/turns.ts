import { standingFor } from './answer-text';
import type { MessageStatus, TranscriptMessage } from './message';

/** A question and everything that was said to answer it. */
export interface Turn {
  /** The same for as long as the turn is there. */
  readonly key: string;
  /** `null` where it stands before what is held, or the turn has none. */
  readonly question: TranscriptMessage | null;
  /** In the order in which they were said. */
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
 * Groups messages, oldest first, into turns. Given what was grouped before, only the turns from the first message on
 * that changed are made again: all others stay the same objects, so that a token draws one turn.
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

/** How many turns from the first one on have not changed. The last one may have got another message. */
function keptTurns(messages: readonly TranscriptMessage[], { messages: old, starts }: Grouping): number {
  let same = 0;
  while (same < old.length && same < messages.length && old[same] === messages[same]) same++;
  let kept = 0;
  while (kept < starts.length && (starts[kept + 1] ?? Number.POSITIVE_INFINITY) <= same) kept++;
  return kept;
}

/** A question always begins a turn; anything else only where it says that it belongs to another one. */
function beginsTurn(message: TranscriptMessage, previous: TranscriptMessage | undefined): boolean {
  if (message.role === 'user') return true;
  const [mine, other] = [message.turnId ?? null, previous?.turnId ?? null];
  return mine !== null && other !== null && mine !== other;
}

function turnOf(messages: readonly TranscriptMessage[]): Turn {
  const [first] = messages;
  const question = first?.role === 'user' ? first : null;
  // The id of a question is known before the server has taken it; that of its turn is not.
  const key = question?.id ?? `turn-${first?.turnId ?? first?.id ?? ''}`;
  return { key, question, replies: question === null ? messages : messages.slice(1) };
}

/** What of a turn is shown where. */
export interface TurnParts {
  /** The answer, one message for each step of a blueprint. */
  readonly answers: readonly TranscriptMessage[];
  /** How it was worked out, in the order in which that happened. */
  readonly workings: readonly TranscriptMessage[];
  /** Closes the turn, where it is shown beside an answer. */
  readonly summaries: readonly TranscriptMessage[];
  /** How the turn stands, whatever is shown of it. */
  readonly status: MessageStatus;
  /** The message that tells how the turn ended without success. */
  readonly end: TranscriptMessage | null;
}

/**
 * Says by roles what of a turn is its answer: of each step the last message of the assistant that is no working. What
 * passes no filter has no part. Without an assistant's message the summary is the answer, with the remarks of those
 * that it stands for.
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
  return [...summaries.slice(0, -1), standingFor(last, hidden)];
}

/** Of a message that was cut off before it had said anything only its end is to be told. */
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
  // Whatever fails or is interrupted leaves a message that says so; a stop before the first word leaves none.
  return { status: question !== null && replies.length === 0 ? 'stopped' : 'complete', end: null };
}

/** The turn that a message belongs to, by its place; −1 for none. */
export function turnIndexOf(turns: readonly Turn[], messageId: string): number {
  return turns.findIndex(
    ({ question, replies }) =>
      question?.id === messageId || replies.some((message) => message.id === messageId),
  );
}
