import type { EventType } from '@/stream/frames';

/** What a store makes of the person's live stream. */
interface Follower {
  /** By the type of the event; the data is the server's own, and taken at its word. */
  on: Readonly<Partial<Record<EventType, (data: never) => void>>>;
  /** Events may have been missed: what is shown has to be asked for again. */
  refresh: () => void;
}

const followers = new Set<Follower>();

/**
 * Follows the stream from now on. For stores of pages that are not in the first load: one that was never loaded holds
 * nothing that an event could change. The others stand in the table of `stores/stream-bindings`.
 */
export function followStream(follower: Follower): void {
  followers.add(follower);
}

/** Tells those who follow of an event. */
export function tellFollowers(type: EventType, data: unknown): void {
  for (const { on } of followers) (on[type] as ((data: unknown) => void) | undefined)?.(data);
}

/** Has those who follow ask again. */
export function refreshFollowers(): void {
  for (const { refresh } of followers) refresh();
}
