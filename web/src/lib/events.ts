import type { ConversationStatus, DisplayObject, Message, MessageRole, MessageStatus } from './wire';

/**
 * The data of the stream's events, by type: actors/protocol/payload.go in TypeScript. A log is
 * written once by the server, so these are taken at their word.
 */
export interface EventData {
  'conversation.created': ConversationChange;
  'conversation.updated': ConversationChange;
  'conversation.deleted': { id: string };
  'conversation.streaming-complete': StreamingComplete;
  'conversation.rewound': { fromSeq: number; generation: number };
  'message.created': Message;
  'message.updated': MessageUpdate;
}

/** The fields of a conversation that changed. */
export interface ConversationChange {
  id: string;
  name?: string;
  description?: string;
  dataSources?: number[];
  projectLabels?: number[];
  isFavorite?: boolean;
  status?: ConversationStatus;
  unreadMessages?: number;
  /** Who may see it has changed. */
  accessChanged?: boolean;
}

/** The one end of a turn. */
export interface StreamingComplete {
  conversationId: string;
  turnId: string;
  status: 'complete' | 'stopped' | 'interrupted' | 'failed';
  reason?: string;
  /** The conversation's total after the turn. */
  credits: number;
}

/** The end of a message, or objects attached to it. */
export interface MessageUpdate {
  id: string;
  status?: MessageStatus;
  length?: number;
  displayobjectSet?: DisplayObject[];
}

/** What the person's own log says of a message: enough for a list. */
export interface MessageNote {
  conversationId: string;
  messageId: string;
  role: MessageRole;
  streaming: boolean;
}

/** What a running turn says of itself. */
export interface Progress {
  turnId: string;
  text: string;
}
