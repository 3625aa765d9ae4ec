import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { byIds } from '@/lib/connector-picker';
import { afterFirstLoad } from '@/lib/after-first-load';
import { listKey } from '@/lib/collection';
import { everySource } from '@/lib/datasource-filter';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { DataSource } from '@/lib/wire';
import { conversationSourcesState, loadConversationSources } from '@/stores/conversation-sources-store';
import { dataSources } from '@/stores/datasources-store/sources';

/** The connectors that a conversation uses. */
export interface AskedSources {
  /** The connectors that exist, those that belong to the conversation last. */
  known: readonly DeepReadonly<DataSource>[];
  /** Their ids. */
  ids: readonly number[];
  /** Ids of those that belong to the conversation: they are always chosen and cannot be removed. */
  own: readonly number[];
  /** Ids of chosen connectors that have been deleted or withdrawn since. */
  gone: readonly number[];
  /**
   * Ids that are in the conversation but not among the known connectors: they no longer exist, or are not fetched
   * yet.
   */
  unknown: readonly number[];
  /** The number of those that a person who only reads the conversation has no access to. */
  withheld: number;
}

/**
 * The connectors that were chosen for a conversation, and those that belong to it. A person who only reads the
 * conversation (`canAsk` is false) need not know whether the others still exist.
 */
export function useAskedSources(
  conversation: string,
  chosen: readonly number[],
  canAsk: boolean,
): AskedSources {
  const { byId, details, lists } = useSnapshot(dataSources.state);
  // A reader of a shared conversation may not have them in their own list.
  const told = useSnapshot(conversationSourcesState).byConversation[conversation];
  const here = [...Object.values(byId), ...(told ?? [])];
  const own = [
    ...new Set(here.filter(({ conversationId }) => conversationId === conversation).map(({ id }) => id)),
  ];
  const known = byIds(here, [...chosen.filter((id) => !own.includes(id)), ...own]);
  const ids = known.map(({ id }) => id);
  const unknown = chosen.filter((id) => !ids.includes(id));
  const isListed = lists[listKey(everySource)]?.status === 'fetched';
  const isNeeded = !canAsk || (isListed && unknown.length > 0);

  // Mostly the person's own list has all of them, and the first load need not wait for what only the conversation
  // knows, such as an archived connector that belongs to it.
  useEffect(() => {
    const load = (): void => void loadConversationSources(conversation);
    if (!isNeeded) return afterFirstLoad(load);
    load();
    return undefined;
  }, [conversation, isNeeded]);

  const missing = told === undefined || !canAsk ? '' : unknown.join();

  useEffect(() => {
    // Neither the person's list nor the conversation's has them. Only the server knows whether they still exist,
    // because they may have been added in another tab.
    for (const id of missing === '' ? [] : missing.split(',')) void dataSources.fetch(Number(id));
  }, [missing]);

  const gone: number[] = [];
  for (const id of unknown) if (details[id]?.status === 'gone') gone.push(id);
  // The conversation's list has all of its connectors that its reader may see.
  const withheld = canAsk || told === undefined ? 0 : unknown.length;
  return { known, ids, own, gone, unknown, withheld };
}
