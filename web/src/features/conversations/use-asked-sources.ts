import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { byIds } from '@/lib/connector-picker';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { DataSource } from '@/lib/wire';
import { conversationSourcesState } from '@/stores/conversation-sources-store';
import { dataSources } from '@/stores/datasources-store/sources';

/** Which connectors a conversation asks. */
export interface AskedSources {
  /** Those that are there, the ones that belong to the conversation last. */
  known: readonly DeepReadonly<DataSource>[];
  /** Their ids. */
  ids: readonly number[];
  /** Ids of those that belong to the conversation: always chosen, and not to be taken away. */
  own: readonly number[];
  /** Ids of those that were chosen, and were deleted or withdrawn since. */
  gone: readonly number[];
  /** Ids that stand in the conversation and are not among the known: those that are gone, or not fetched yet. */
  unknown: readonly number[];
}

/** The connectors that were chosen for a conversation, and those that belong to it. */
export function useAskedSources(conversation: string, chosen: readonly number[]): AskedSources {
  const { byId, details } = useSnapshot(dataSources.state);
  // A reader of a shared conversation may not have them in their own list.
  const told = useSnapshot(conversationSourcesState).byConversation[conversation];
  const here = [...Object.values(byId), ...(told ?? [])];
  const own = [
    ...new Set(here.filter(({ conversationId }) => conversationId === conversation).map(({ id }) => id)),
  ];
  const known = byIds(here, [...chosen.filter((id) => !own.includes(id)), ...own]);
  const ids = known.map(({ id }) => id);
  const unknown = chosen.filter((id) => !ids.includes(id));
  const missing = told === undefined ? '' : unknown.join();

  useEffect(() => {
    // Neither the person's list nor the conversation's has them. Only the server knows whether they are gone, for they
    // may have been added in another tab.
    for (const id of missing === '' ? [] : missing.split(',')) void dataSources.fetch(Number(id));
  }, [missing]);

  const gone: number[] = [];
  for (const id of unknown) if (details[id]?.status === 'gone') gone.push(id);
  return { known, ids, own, gone, unknown };
}
