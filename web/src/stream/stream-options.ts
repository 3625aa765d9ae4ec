import type { Presence } from '@/lib/presence';
import type { EventFrame } from './frames';

/** The state of the connection, for the person. */
export type ConnectionState =
  | { phase: 'connecting' }
  | { phase: 'open' }
  /** Lost, and attempt n of 3 is running or pending; 0 is the silent first one, or one for a new bearer. */
  | { phase: 'retrying'; attempt: number; of: number }
  | { phase: 'lost'; because: 'failed' | 'sign-in' | 'forbidden' | 'stop' }
  | { phase: 'closed' };

/** The handlers for the frames of the stream. They are called in the order of the log. */
export interface StreamHandlers {
  /** An event of the person's log. */
  onUserEvent: (frame: EventFrame) => void;
  /** An event of a followed conversation. */
  onConversationEvent: (conversation: string, frame: EventFrame) => void;
  /** New text at the end of a message. */
  onText: (conversation: string, message: string, text: string) => void;
  /** The progress of the running turn; it is not stored. */
  onProgress: (conversation: string, data: unknown) => void;
  /** The people who have the conversation open; `nobody` when the last list is no longer valid. */
  onPresence: (conversation: string, presence: Presence) => void;
  /** The log does not reach back to the client's position: fetch the conversation, then follow it again. */
  onReset: (conversation: string) => void;
  /** The conversation may not, or no longer, be read. */
  onDenied: (conversation: string) => void;
  /** The lists may have missed events: fetch them. */
  onResync: () => void;
  onState: (state: ConnectionState) => void;
}

/** What the client needs of its environment; tests pass their own. */
export interface StreamOptions {
  /** The address of `user/{uuid}/stream`. */
  url: string;
  /**
   * The position in the person's log from which on events are requested: data that are fetched later include
   * everything before it.
   */
  from: number;
  /**
   * Read at every connect, because a bearer is renewed while a tab is open. `null` while a newer one is being
   * obtained: `StreamClient.bearerChanged` then continues.
   */
  bearer: () => string | null;
  /** The server does not accept this bearer any more; the sign-in may still be valid. */
  onBearerEnded: (bearer: string) => void;
  handlers: StreamHandlers;
  open?: (url: string, protocols: string[]) => WebSocket;
  now?: () => number;
  /** From 0 up to 1. */
  random?: () => number;
}
