import type { EventType } from '@/stream/frames';

/** A store's handlers for the person's live stream. */
interface Follower {
  /** By the type of the event; the data come from our server and are not checked again. */
  on: Readonly<Partial<Record<EventType, (data: never) => void>>>;
  /** Called when events may have been missed: the shown data must be fetched again. */
  refresh: () => void;
}

const followers = new Set<Follower>();

/**
 * Follows the stream from now on. For stores of pages that are not in the first load: a store that was never loaded
 * has no data that an event could change. The other stores are in the table of `stores/stream-bindings`.
 */
export function followStream(follower: Follower): void {
  followers.add(follower);
}

/** Passes an event to the followers. */
export function notifyFollowers(type: EventType, data: unknown): void {
  for (const { on } of followers) (on[type] as ((data: unknown) => void) | undefined)?.(data);
}

/** Makes the followers fetch their data again. */
export function refreshFollowers(): void {
  for (const { refresh } of followers) refresh();
}
