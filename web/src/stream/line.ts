import type { Position } from './cursor';
import { StreamClient } from './socket';
import type { StreamHandlers } from './stream-options';

/** The single connection of the tab to the server. Only the functions of this file write it. */
const line: {
  client: StreamClient | null;
  /** The address of the last one that was opened. */
  url: string;
  followed: Map<string, Position>;
  /** The position in each person's log when their connection was closed, by its address. */
  held: Map<string, number>;
} = {
  client: null,
  url: '',
  held: new Map(),
  // Conversations that are followed before the connection is open are followed as soon as it is.
  followed: new Map(),
};

export interface LineOptions {
  url: string;
  /** The position in the person's log from which on events are requested, if this tab does not know a later one. */
  from: number;
  bearer: () => string | null;
  onBearerEnded: (bearer: string) => void;
  handlers: StreamHandlers;
}

/** Opens the connection; an open one is closed first. */
export function openLine(options: LineOptions): void {
  stop();
  // Events that were received before are included in the shown state: receiving them again would count them twice.
  const from = Math.max(options.from, line.held.get(options.url) ?? 0);
  line.client = new StreamClient({ ...options, from });
  line.url = options.url;
  for (const [conversation, at] of line.followed) line.client.follow(conversation, at);
  line.followed.clear();
  line.client.start();
}

export function closeLine(): void {
  stop();
  line.followed.clear();
}

function stop(): void {
  if (!line.client) return;
  line.held.set(line.url, line.client.userSeq);
  line.client.stop();
  line.client = null;
}

export function followConversation(conversation: string, at: Position): void {
  if (line.client) line.client.follow(conversation, at);
  else line.followed.set(conversation, at);
}

export function unfollowConversation(conversation: string): void {
  line.client?.unfollow(conversation);
  line.followed.delete(conversation);
}

/** Reconnects a lost connection now, without the pause, and checks one that may be dead. */
export function wakeLine(): void {
  line.client?.wake();
}

/** Called when there is a newer bearer. */
export function renewLine(): void {
  line.client?.bearerChanged();
}
