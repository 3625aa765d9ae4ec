import type { Attendee, Presence } from '@/lib/presence';

/** A client's position in one conversation, as in hello and subscribe. */
export interface ConversationCursor {
  seq: number;
  generation: number;
  /** The message that is being written, and how many UTF-8 bytes of it the client has. */
  message?: string;
  offset?: number;
}

/** The frames of a client; docs/stream-protocol.md. */
export type ClientFrame =
  | { type: 'hello'; cursor: { user?: number; conversations: Record<string, ConversationCursor> } }
  | { type: 'subscribe'; conversation: string; at: ConversationCursor }
  | { type: 'unsubscribe'; conversation: string }
  | { type: 'ping' };

/** Types of events that are in a log and therefore have a seq. */
const eventTypes = [
  'conversation.created',
  'conversation.updated',
  'conversation.deleted',
  'conversation.streaming-complete',
  'conversation.rewound',
  'message.created',
  'message.updated',
  'task.created',
  'task.updated',
  'task.deleted',
  'task.run-started',
  'task.run-failed',
  'task.switched-off',
] as const;

export type EventType = (typeof eventTypes)[number];

/** The name of the person's own log; every other stream is named by its conversation. */
export const userStream = 'user';

/** One entry of a log. */
export interface EventFrame {
  type: EventType;
  stream: string;
  seq: number;
  epoch: number;
  generation: number;
  /** When it happened, by the server's clock (RFC 3339). */
  at: string;
  data: unknown;
}

/**
 * An entry of a log of a type that this client does not know. It still has its position in the order: without it
 * the next entry would look like the end of a gap.
 */
export interface UnknownEventFrame extends Omit<EventFrame, 'type' | 'at'> {
  type: 'unknown-event';
}

/** A piece of a message's text at its byte offset. */
export interface DeltaFrame {
  type: 'message.delta';
  stream: string;
  epoch: number;
  generation: number;
  message: string;
  offset: number;
  text: string;
}

/** The people who have a conversation open: the whole list each time; it is not in a log. */
export interface PresenceFrame extends Presence {
  type: 'presence';
  conversation: string;
}

/** All other frames of a server. */
export type ControlFrame =
  | { type: 'session.ready'; seq: number }
  | { type: 'session.resync'; seq: number }
  | { type: 'subscribed'; stream: string; seq: number; epoch: number; generation: number }
  | { type: 'reset'; stream: string; seq: number; generation: number }
  | { type: 'denied'; stream: string }
  | { type: 'turn.progress'; stream: string; epoch: number; generation: number; data: unknown }
  | PresenceFrame
  | { type: 'keep-alive' };

export type ServerFrame = EventFrame | UnknownEventFrame | DeltaFrame | ControlFrame;

function isEventType(type: string): type is EventType {
  return (eventTypes as readonly string[]).includes(type);
}

function isAttendee(value: unknown): value is Attendee {
  if (typeof value !== 'object' || value === null) return false;
  const { uuid, fullName } = value as Partial<Record<string, unknown>>;
  return typeof uuid === 'string' && typeof fullName === 'string';
}

function attendeesOf(value: unknown): Attendee[] {
  return Array.isArray(value) ? value.filter(isAttendee) : [];
}

/**
 * Reads one frame. A type that this client does not know, for example from a newer server, is `unknown-event` if it
 * is in a log, and otherwise `null`, like text that is not a frame.
 */
export function parseFrame(text: string): ServerFrame | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const raw = value as Record<string, unknown>;
  const number = (name: string): number => (typeof raw[name] === 'number' ? raw[name] : 0);
  const string = (name: string): string => (typeof raw[name] === 'string' ? raw[name] : '');
  const type = string('type');
  const stream = string('stream');
  const place = { stream, epoch: number('epoch'), generation: number('generation') };

  if (isEventType(type)) {
    return { type, ...place, seq: number('seq'), at: string('at'), data: raw['data'] };
  }
  switch (type) {
    case 'message.delta':
      return { type, ...place, message: string('message'), offset: number('offset'), text: string('text') };
    case 'session.ready':
    case 'session.resync':
      return { type, seq: number('seq') };
    case 'subscribed':
      return { type, ...place, seq: number('seq') };
    case 'reset':
      return { type, stream, seq: number('seq'), generation: place.generation };
    case 'denied':
      return { type, stream };
    case 'turn.progress':
      return { type, ...place, data: raw['data'] };
    case 'presence':
      return {
        type,
        conversation: string('conversation'),
        people: attendeesOf(raw['people']),
        count: number('count'),
      };
    case 'keep-alive':
      return { type };
    default:
      if (stream === '' || number('seq') < 1) return null;
      return { type: 'unknown-event', ...place, seq: number('seq'), data: raw['data'] };
  }
}
