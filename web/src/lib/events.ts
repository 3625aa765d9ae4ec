import type { components } from '@/api/wire.gen';
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

/** The fields of a conversation that changed. */
export type ConversationChange = Omit<Schemas['ConversationChange'], 'status'> & {
  status?: ConversationStatus;
};

/** The one end of a turn. */
export type StreamingComplete = Schemas['StreamingComplete'];

/** The end of a message, or objects attached to it. */
export interface MessageUpdate {
  id: string;
  status?: MessageStatus;
  /** Why it failed or was interrupted. */
  reason?: string;
  length?: number;
  displayobjectSet?: DisplayObject[];
}

/** What the person's own log says of a message: enough for a list. */
export type MessageNote = Omit<Schemas['MessageNote'], 'role'> & { role: MessageRole };

/** What a running turn says of itself. */
export type Progress = Schemas['Progress'];
