import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { listKey, type Collection } from './collection';
import type { DetailState, Entity, Id, ListState } from './collection-state';
import type { DeepReadonly } from './deep-readonly';

/** A list as a page shows it. */
interface ShownList<T> extends Pick<ListState, 'status' | 'count' | 'first' | 'last' | 'more'> {
  items: DeepReadonly<T>[];
}

/**
 * Shows the list of a query, loads it when it is first shown and fetches it again if it has changed. While the
 * first page of another query is loading, the previous list stays, as `updating`.
 */
export function useList<T extends Entity, Q, D extends T>(
  collection: Collection<T, Q, D>,
  query: Q,
): ShownList<T> {
  const { byId, lists } = useSnapshot(collection.state) as Collection<T, Q, D>['state'];
  const key = listKey(query);
  const [settled, setSettled] = useState(key);
  const list = lists[key];
  const waiting = list === undefined || list.status === 'initial' || list.status === 'fetching';
  if (!waiting && settled !== key) setSettled(key);

  useEffect(() => collection.watch(query), [collection, key]); // eslint-disable-line react-hooks/exhaustive-deps -- the key stands for the query
  const due = list === undefined || list.stale;
  const failed = list?.status === 'failed';
  useEffect(() => {
    // A failed list waits until the person retries.
    if (due && !failed) void collection.load(query);
  }, [collection, key, due]); // eslint-disable-line react-hooks/exhaustive-deps -- the same

  const earlier = waiting && settled !== key ? lists[settled] : undefined;
  const shown = earlier ?? list;
  const status = earlier ? 'updating' : (list?.status ?? 'initial');
  const items = (shown?.ids ?? []).flatMap((id) => byId[id] ?? []) as DeepReadonly<T>[];
  const { count = 0, first = 1, last = 1, more = false } = shown ?? {};
  return { status, items, count, first, last, more };
}

const unknown: DetailState<never> = { status: 'loading', entity: null };

/** Shows one entity with the fields that lists leave out; it is fetched when it is first shown. */
export function useEntity<T extends Entity, Q, D extends T>(
  collection: Collection<T, Q, D>,
  id: Id,
): DeepReadonly<DetailState<D>> {
  const { details } = useSnapshot(collection.state) as Collection<T, Q, D>['state'];
  useEffect(() => void collection.fetch(id), [collection, id]);
  return details[id] ?? unknown;
}
