import type { DisplayObject, Message, MessageRole, MessageStatus } from '@/lib/wire';

/** What is known of a message beside its text. */
export type Annotation = NonNullable<Message['annotation']>;

/** A message as the transcript shows it, and what the session needs to place it. */
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
  /** The agent's id, and the blueprint whose steps a prompt asked for: asking again asks the same. */
  analystId?: number | undefined;
  iceBreakerId?: number | undefined;
  createdAt: string;
  /** Why it did not complete, if it did not. */
  note: string | null;
  displayObjects: readonly DisplayObject[];
  /** What readers think of it: who, and in the word of a sentiment. */
  feedback: readonly GivenFeedback[];
}

/** One person's opinion of a message. */
export interface GivenFeedback {
  readonly userId: number;
  readonly sentiment: string;
}

/** The place of a message that the server has not numbered yet: behind all others. */
export const unsentSeq = Number.MAX_SAFE_INTEGER;

/** Takes a message of the wire. */
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

/** Adds display objects that are not there yet; a repeated event adds nothing. */
export function withObjects(message: ChatMessage, added: readonly DisplayObject[]): ChatMessage {
  const held = new Set(message.displayObjects.map((object) => object.id));
  const fresh = added.filter((object) => !held.has(object.id));
  return fresh.length === 0 ? message : { ...message, displayObjects: [...message.displayObjects, ...fresh] };
}

/** Takes what has become known of it; what that leaves out stays. */
export function withAnnotation(message: ChatMessage, known: Annotation): ChatMessage {
  return { ...message, ...known };
}

/** Which messages a filter of the conversation view shows. */
export type MessageFilter = 'all' | 'datasources' | 'executive' | 'notes';

const shown: Record<MessageFilter, readonly MessageRole[]> = {
  // All hides what only superusers debug with, and the executive summary.
  all: ['user', 'user_proxy', 'assistant', 'coordinator'],
  datasources: ['user', 'assistant', 'user_proxy'],
  executive: ['user', 'summary', 'coordinator'],
  notes: ['user', 'assistant', 'user_proxy'],
};

/** Whether a filter shows messages of a role. */
export function passesFilter(role: MessageRole, filter: MessageFilter): boolean {
  return shown[filter].includes(role);
}
