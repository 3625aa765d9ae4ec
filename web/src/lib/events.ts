import type { components } from '@/api/wire.gen';
import type { Annotation } from './chat-message';
import type { ConversationStatus, DisplayObject, Message, MessageRole, MessageStatus } from './wire';

type Schemas = components['schemas'];

/**
 * The data of the stream's events, by type. A log is only written by the server, so the data are not checked again.
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

/** The events of scheduled tasks in the person's own log. */
export type TaskRunNote = Schemas['TaskRunNote'];
export type TaskNote = Schemas['TaskNote'];

/** The fields of a conversation that changed. */
export type ConversationChange = Omit<Schemas['ConversationChange'], 'status'> & {
  status?: ConversationStatus;
};

/** The single event for the end of a turn. */
export type StreamingComplete = Schemas['StreamingComplete'];

/** The end of a message, objects attached to it, or its annotation. */
export interface MessageUpdate {
  id: string;
  status?: MessageStatus;
  /** Why it failed or was interrupted. */
  reason?: string;
  length?: number;
  displayobjectSet?: DisplayObject[];
  /** Its annotation. */
  annotation?: Annotation;
}

/** An event for a message in the person's own log: enough for a list. */
export type MessageNote = Omit<Schemas['MessageNote'], 'role'> & { role: MessageRole };

/** An event for a rewind in the person's own log. */
export type RewindNote = Schemas['RewindNote'];

/** The progress of a running turn. */
export type Progress = Schemas['Progress'];
