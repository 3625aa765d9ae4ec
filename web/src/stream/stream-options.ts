import type { Presence } from '@/lib/presence';
import type { EventFrame } from './frames';

/** What the person may be told about the connection. */
export type ConnectionState =
  | { phase: 'connecting' }
  | { phase: 'open' }
  /** Lost, and attempt n of 3 is under way or waited for; 0 is the silent first one, or one for a bearer. */
  | { phase: 'retrying'; attempt: number; of: number }
  | { phase: 'lost'; because: 'failed' | 'sign-in' | 'forbidden' | 'stop' }
  | { phase: 'closed' };

/** The handlers of what the stream brings. Every handler runs in the order of the log. */
export interface StreamHandlers {
  /** An event of the person's log. */
  onUserEvent: (frame: EventFrame) => void;
  /** An event of a followed conversation. */
  onConversationEvent: (conversation: string, frame: EventFrame) => void;
  /** New text at the end of a message. */
  onText: (conversation: string, message: string, text: string) => void;
  /** What the running turn is doing; not kept. */
  onProgress: (conversation: string, data: unknown) => void;
  /** The people who have the conversation open; `nobody` when the last list is no longer valid. */
  onPresence: (conversation: string, presence: Presence) => void;
  /** The log does not reach back to what is held: fetch the conversation, then follow it again. */
  onReset: (conversation: string) => void;
  /** Not, or no longer, readable. */
  onDenied: (conversation: string) => void;
  /** The lists may have missed something: fetch them. */
  onResync: () => void;
  onState: (state: ConnectionState) => void;
}

/** What the client needs of its surroundings; tests give their own. */
export interface StreamOptions {
  /** The address of `user/{uuid}/stream`. */
  url: string;
  /** The place in the person's log from which on events are wanted: what is fetched later than that knows all before it. */
  from: number;
  /**
   * Read at every connect, because a bearer is renewed while a tab stands open. `null` while a newer one is on
   * its way: `StreamClient.bearerChanged` then goes on.
   */
  bearer: () => string | null;
  /** The server does not take this bearer any more, though it says nothing of the sign-in. */
  onBearerEnded: (bearer: string) => void;
  handlers: StreamHandlers;
  open?: (url: string, protocols: string[]) => WebSocket;
  now?: () => number;
  /** From 0 up to 1. */
  random?: () => number;
}
