import { proxy } from 'valtio';
import { findDataSources, getDataSource, listDataSources, listDataSourceTypes } from '@/api/datasources';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection, listKey } from '@/lib/collection';
import { everySource, isInQuery, type DataSourceQuery } from '@/lib/datasource-filter';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { DataSource, DataSourceType } from '@/lib/wire';

/** The connectors that this person may use. The list of all of them is loaded with the app. */
export const dataSources = new Collection<DataSource, DataSourceQuery>({
  list: (query, page) =>
    listKey(query) === listKey(everySource) ? listDataSources(page) : findDataSources(query, page),
  get: (id) => getDataSource(Number(id)),
  belongs: isInQuery,
});

interface SourceTypesState {
  /** The kinds of connectors that this server knows. */
  types: DataSourceType[];
}

const typesState = proxy<SourceTypesState>({ types: [] });

export const sourceTypes: DeepReadonly<SourceTypesState> = typesState;

/** Counts resets: a request from before a reset belongs to another user. */
const epoch = { count: 0 };

/** Loads the list and the kinds of connectors; fails if one of them does. */
export async function loadDataSources(): Promise<void> {
  const mine = epoch.count;
  const [{ results }] = await Promise.all([listDataSourceTypes(), dataSources.load(everySource)]);
  if (mine !== epoch.count) return;
  typesState.types = results;
  if (dataSources.state.lists[listKey(everySource)]?.status === 'failed') {
    throw new Error('The list of connectors could not be loaded.');
  }
}

/**
 * Loads connectors that an address or a conversation names and that are not in the list. Returns those that were
 * deleted, or that the person was never allowed to use: they are left out, as in any list.
 */
export async function holdDataSources(ids: readonly number[]): Promise<number[]> {
  const missing = ids.filter((id) => dataSources.state.byId[id] === undefined);
  const list = dataSources.state.lists[listKey(everySource)];
  // A completely loaded list is sufficient to decide.
  if (list && !list.more) return list.status === 'fetched' || list.status === 'updating' ? missing : [];
  await Promise.all(missing.map((id) => dataSources.fetch(id)));
  return missing.filter((id) => dataSources.state.details[id]?.status === 'gone');
}

export function resetDataSources(): void {
  epoch.count++;
  dataSources.reset();
  typesState.types = [];
}

atSignOut(resetDataSources);
