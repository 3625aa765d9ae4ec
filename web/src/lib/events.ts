import type { components } from '@/api/wire.gen';
import type { Annotation } from './chat-message';
import type { ConversationStatus, DisplayObject, Message, MessageRole, MessageStatus } from './wire';

type Schemas = components['schemas'];

/**
 * The data of the stream's events, by type. A log is written once, by the server, so these are taken
 * at their word.
 */
export interface EventData {
  'conversation.created': ConversationChange;
  'conversation.updated': ConversationChange;
  'conversation.deleted': Schemas['ConversationGone'];
  'conversation.streaming-complete': StreamingComplete;
  'conversation.rewound': Schemas['ConversationRewound'];
  'message.created': Message;
  'message.updated': MessageUpdate;
}

/** What the person's own log says of scheduled tasks. */
export type TaskRunNote = Schemas['TaskRunNote'];
export type TaskNote = Schemas['TaskNote'];

/** The fields of a conversation that changed. */
export type ConversationChange = Omit<Schemas['ConversationChange'], 'status'> & {
  status?: ConversationStatus;
};

/** The one end of a turn. */
export type StreamingComplete = Schemas['StreamingComplete'];

/** The end of a message, objects attached to it, or what has become known of it. */
export interface MessageUpdate {
  id: string;
  status?: MessageStatus;
  /** Why it failed or was interrupted. */
  reason?: string;
  length?: number;
  displayobjectSet?: DisplayObject[];
  /** What has become known of it. */
  annotation?: Annotation;
}

/** What the person's own log says of a message: enough for a list. */
export type MessageNote = Omit<Schemas['MessageNote'], 'role'> & { role: MessageRole };

/** What the person's own log says of a rewind. */
export type RewindNote = Schemas['RewindNote'];

/** What a running turn says of itself. */
export type Progress = Schemas['Progress'];
