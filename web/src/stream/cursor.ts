import type { ConversationCursor, DeltaFrame, EventFrame, UnknownEventFrame } from './frames';
import { byteLength, dropBytes } from './utf8';

/** The client's position in one stream. It is never changed in place. */
export interface Position {
  /** The seq of the last event applied. */
  seq: number;
  /** It increases with each rewind. */
  generation: number;
  /** The owner that wrote the last event applied. */
  eventEpoch: number;
  /** The newest known owner, from an event or a delta. */
  epoch: number;
  /** The number of received bytes of each message that is still being written, oldest first. */
  lengths: readonly { message: string; bytes: number }[];
  /** The client has subscribed again and waits; further gaps are part of the same gap. */
  asking: boolean;
}

/** What to do with a frame. */
export type Verdict =
  /** Apply the event. */
  | { kind: 'apply' }
  /** Add this text to the message: the part of the delta that has not been received yet. */
  | { kind: 'append'; message: string; text: string }
  /** It is known already, or outdated. */
  | { kind: 'ignore'; why: 'repeat' | 'old-generation' | 'old-epoch' | 'asking' | 'unknown-message' }
  /** Something is missing: subscribe again from the current position. */
  | { kind: 'ask' };

export interface Step {
  position: Position;
  verdict: Verdict;
}

/** A text that is being written, from the answer of the conversation call. */
export interface OpenText {
  message: string;
  text: string;
}

/** The position of a client that has just fetched a conversation (or, for the person's log, received its head). */
export function positionAt(seq: number, generation = 0, epoch = 0, open: readonly OpenText[] = []): Position {
  return {
    seq,
    generation,
    eventEpoch: epoch,
    epoch,
    lengths: open.map(({ message, text }) => ({ message, bytes: byteLength(text) })),
    asking: false,
  };
}

/** The position in the format of the server. */
export function cursorOf(position: Position): ConversationCursor {
  const open = position.lengths.at(-1);
  const cursor = { seq: position.seq, generation: position.generation };
  return open ? { ...cursor, message: open.message, offset: open.bytes } : cursor;
}

function ask(position: Position): Step {
  if (position.asking) return { position, verdict: { kind: 'ignore', why: 'asking' } };
  return { position: { ...position, asking: true }, verdict: { kind: 'ask' } };
}

/**
 * Whether a frame without a seq belongs to the current state: not to a branch that was cut or is not known yet, and
 * not to an owner that has been replaced.
 */
export function isCurrent(position: Position, frame: { generation: number; epoch: number }): boolean {
  return frame.generation === position.generation && frame.epoch >= position.epoch;
}

/** Fields of event data that the cursor itself needs. */
interface MessageData {
  id?: unknown;
  text?: unknown;
  status?: unknown;
  length?: unknown;
}

function messageData(frame: EventFrame | UnknownEventFrame): MessageData {
  return typeof frame.data === 'object' && frame.data !== null ? frame.data : {};
}

/** The lengths after an event, or `null` if the event shows that text is missing. */
function lengthsAfter(position: Position, frame: EventFrame | UnknownEventFrame): Position['lengths'] | null {
  const data = messageData(frame);
  const id = typeof data.id === 'string' ? data.id : '';
  switch (frame.type) {
    case 'message.created': {
      const others = position.lengths.filter((held) => held.message !== id);
      if (data.status !== 'streaming') return others;
      return [...others, { message: id, bytes: byteLength(typeof data.text === 'string' ? data.text : '') }];
    }
    case 'message.updated': {
      if (typeof data.length !== 'number') return position.lengths;
      const held = position.lengths.find((entry) => entry.message === id);
      if (held && held.bytes !== data.length) return null;
      return position.lengths.filter((entry) => entry.message !== id);
    }
    case 'conversation.rewound':
      return [];
    default:
      return position.lengths;
  }
}

/**
 * Handles one event of the log. An event is applied only if it is the next one: a lower one is a repeat, a higher
 * one shows a gap.
 */
export function stepEvent(position: Position, frame: EventFrame | UnknownEventFrame): Step {
  if (frame.seq <= position.seq) return { position, verdict: { kind: 'ignore', why: 'repeat' } };
  if (frame.generation < position.generation) {
    return { position, verdict: { kind: 'ignore', why: 'old-generation' } };
  }
  if (frame.epoch < position.eventEpoch) return { position, verdict: { kind: 'ignore', why: 'old-epoch' } };
  if (frame.seq > position.seq + 1) return ask(position);
  const lengths = lengthsAfter(position, frame);
  if (lengths === null) return ask(position);
  return {
    position: {
      seq: frame.seq,
      generation: frame.generation,
      eventEpoch: frame.epoch,
      epoch: Math.max(position.epoch, frame.epoch),
      lengths,
      asking: false,
    },
    verdict: { kind: 'apply' },
  };
}

/**
 * Handles one delta. It is applied if it begins at or before the end of the received text, without the bytes that
 * are known already; if it begins beyond the end, something is missing.
 */
export function stepDelta(position: Position, frame: DeltaFrame): Step {
  if (frame.epoch < position.epoch) return { position, verdict: { kind: 'ignore', why: 'old-epoch' } };
  // A newer generation means that a rewind was missed, and the offset may belong to another branch.
  if (frame.generation > position.generation) return ask(position);
  const held = position.lengths.find((entry) => entry.message === frame.message);
  // Either the message has ended (a late repeat), or its creation was missed; the seq of the next event shows
  // which, so this is no reason to subscribe again. Text of a branch that was cut is handled here too: a rewind
  // ends every message, so no message of an older generation is being written, and the generation need not be
  // checked.
  if (!held) return { position, verdict: { kind: 'ignore', why: 'unknown-message' } };
  if (frame.offset > held.bytes) return ask(position);

  const text = dropBytes(frame.text, held.bytes - frame.offset);
  if (text === null) return ask(position);
  if (text === '') {
    return { position: { ...position, epoch: frame.epoch }, verdict: { kind: 'ignore', why: 'repeat' } };
  }
  const bytes = held.bytes + byteLength(text);
  const lengths = position.lengths.map((entry) =>
    entry === held ? { message: frame.message, bytes } : entry,
  );
  return {
    position: { ...position, epoch: frame.epoch, lengths, asking: false },
    verdict: { kind: 'append', message: frame.message, text },
  };
}
