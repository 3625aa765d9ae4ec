import type { Position } from './cursor';
import { StreamClient } from './socket';
import type { StreamHandlers } from './stream-options';

/** The tab's one line to the server. Written only by this file's functions. */
const line: {
  client: StreamClient | null;
  /** The address of the last one that was opened. */
  url: string;
  followed: Map<string, Position>;
  /** How far each person's log was held when their line was closed, by its address. */
  held: Map<string, number>;
} = {
  client: null,
  url: '',
  held: new Map(),
  // What is followed before the line is open is followed as soon as it is.
  followed: new Map(),
};

export interface LineOptions {
  url: string;
  /** The place in the person's log from which on events are wanted, where none of this tab is known that is later. */
  from: number;
  bearer: () => string | null;
  onBearerEnded: (bearer: string) => void;
  handlers: StreamHandlers;
}

/** Opens the line; an open one is closed first. */
export function openLine(options: LineOptions): void {
  stop();
  // What was heard before is in what is shown: to hear it again would count it twice.
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

/** Tries a lost line now, not after the pause, and one that may have died meanwhile. */
export function wakeLine(): void {
  line.client?.wake();
}

/** A newer bearer is there. */
export function renewLine(): void {
  line.client?.bearerChanged();
}
