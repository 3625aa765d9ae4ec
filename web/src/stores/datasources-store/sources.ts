import { proxy } from 'valtio';
import { findDataSources, getDataSource, listDataSources, listDataSourceTypes } from '@/api/datasources';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection, listKey } from '@/lib/collection';
import { everySource, isInQuery, type DataSourceQuery } from '@/lib/datasource-filter';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { DataSource, DataSourceType, Page } from '@/lib/wire';

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

/** The request for the kinds, which all who need them share; `null` before the first and after a failure. */
const typesLoading: { request: Promise<Page<DataSourceType>> | null } = { request: null };

/**
 * Loads the kinds of connectors once. A page that can add a file asks for them; the others do without. After a
 * failure, which the list of errors shows, the next page asks again.
 */
export async function loadSourceTypes(): Promise<void> {
  const mine = (typesLoading.request ??= listDataSourceTypes());
  try {
    const { results } = await mine;
    // A request from before a sign-out belongs to another user.
    if (mine === typesLoading.request) typesState.types = results;
  } catch {
    if (mine === typesLoading.request) typesLoading.request = null;
  }
}

/** Loads the list of connectors; fails if the request does. */
export async function loadDataSources(): Promise<void> {
  await dataSources.load(everySource);
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
  typesLoading.request = null;
  dataSources.reset();
  typesState.types = [];
}

atSignOut(resetDataSources);
