import type { DisplayObject, Message, MessageRole, MessageStatus } from '@/lib/wire';

/** What is known about a message in addition to its text. */
export type Annotation = NonNullable<Message['annotation']>;

/** A message as the transcript shows it, with what the session needs to place it. */
export interface ChatMessage extends Annotation {
  id: string;
  /** Its place in the conversation. */
  seq: number;
  turnId: string | null;
  role: MessageRole;
  text: string;
  status: MessageStatus;
  author: string | null;
  /** The author's uuid. */
  authorId: string | null;
  analyst: string | null;
  /** The agent's id, and the blueprint whose steps a prompt asked for: asking again uses the same. */
  analystId?: number | undefined;
  iceBreakerId?: number | undefined;
  createdAt: string;
  /** Why it did not complete, if it did not. */
  note: string | null;
  displayObjects: readonly DisplayObject[];
  /** The feedback of readers: the person and the name of the sentiment. */
  feedback: readonly GivenFeedback[];
}

/** One person's feedback on a message. */
export interface GivenFeedback {
  readonly userId: number;
  readonly sentiment: string;
}

/** The position of a message that the server has not numbered yet: after all others. */
export const unsentSeq = Number.MAX_SAFE_INTEGER;

/** Converts a message of the API. */
export function chatMessage(message: Message): ChatMessage {
  return {
    ...message.annotation,
    id: message.id,
    seq: message.seq,
    turnId: message.turnId,
    role: message.role,
    text: message.text,
    status: message.status,
    author: message.author?.fullName ?? null,
    authorId: message.author?.uuid ?? null,
    analyst: message.analyst?.name ?? null,
    analystId: message.analyst?.id,
    iceBreakerId: message.iceBreakerId,
    createdAt: message.createdAt,
    note: message.reason ?? null,
    displayObjects: message.displayobjectSet,
    feedback: message.feedbackSet.flatMap(({ user, sentiment }) =>
      sentiment.map(({ name }) => ({ userId: user.id, sentiment: name })),
    ),
  };
}

/** Adds display objects that are missing; a repeated event adds nothing. */
export function withObjects(message: ChatMessage, added: readonly DisplayObject[]): ChatMessage {
  const held = new Set(message.displayObjects.map((object) => object.id));
  const fresh = added.filter((object) => !held.has(object.id));
  return fresh.length === 0 ? message : { ...message, displayObjects: [...message.displayObjects, ...fresh] };
}

/** Adds an annotation; fields that it leaves out are not changed. */
export function withAnnotation(message: ChatMessage, known: Annotation): ChatMessage {
  return { ...message, ...known };
}

/** Which messages a filter of the conversation view shows. */
export type MessageFilter = 'all' | 'datasources' | 'executive' | 'notes';

const shown: Record<MessageFilter, readonly MessageRole[]> = {
  // All hides the messages that only superusers need for debugging, and the executive summary.
  all: ['user', 'user_proxy', 'assistant', 'coordinator'],
  datasources: ['user', 'assistant', 'user_proxy'],
  executive: ['user', 'summary', 'coordinator'],
  notes: ['user', 'assistant', 'user_proxy'],
};

/** Whether a filter shows messages of a role. */
export function passesFilter(role: MessageRole, filter: MessageFilter): boolean {
  return shown[filter].includes(role);
}
