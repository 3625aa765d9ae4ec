import type { Position } from './cursor';
import { StreamClient } from './socket';
import type { StreamHandlers } from './stream-options';

/** The tab's one line to the server. Written only by this file's functions. */
const line: { client: StreamClient | null; followed: Map<string, Position> } = {
  client: null,
  // What is followed before the line is open is followed as soon as it is.
  followed: new Map(),
};

export interface LineOptions {
  url: string;
  bearer: () => string | null;
  onBearerEnded: (bearer: string) => void;
  handlers: StreamHandlers;
}

/** Opens the line; an open one is closed first. */
export function openLine(options: LineOptions): void {
  line.client?.stop();
  line.client = new StreamClient(options);
  for (const [conversation, at] of line.followed) line.client.follow(conversation, at);
  line.followed.clear();
  line.client.start();
}

export function closeLine(): void {
  line.client?.stop();
  line.client = null;
  line.followed.clear();
}

export function followConversation(conversation: string, at: Position): void {
  if (line.client) line.client.follow(conversation, at);
  else line.followed.set(conversation, at);
}

export function unfollowConversation(conversation: string): void {
  line.client?.unfollow(conversation);
  line.followed.delete(conversation);
}

/** Tries a lost line now, not after the pause, and one that may have died meanwhile. */
export function wakeLine(): void {
  line.client?.wake();
}

/** A newer bearer is there. */
export function renewLine(): void {
  line.client?.bearerChanged();
}
