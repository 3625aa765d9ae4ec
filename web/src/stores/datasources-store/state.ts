import { proxy } from 'valtio';
import { listDataSources, listDataSourceTypes } from '@/api/datasources';
import type { LoadStatus } from '@/lib/load-status';
import { notify } from '@/lib/notify';
import type { DataSource, DataSourceType } from '@/lib/wire';

/** The connectors that this person may use. */
export interface DataSourcesState {
  status: LoadStatus;
  sources: DataSource[];
  /** There are more than the list holds: what narrows it is asked of the server. */
  partial: boolean;
  found: FoundSources;
  types: DataSourceType[];
  /** Details by id, with their tables; the list carries none. */
  details: Record<number, DataSourceDetail>;
}

/** What the server has found of a list that it has not sent whole. */
interface FoundSources {
  status: LoadStatus;
  ids: number[];
  count: number;
  /** The page that Show more fetches next; `null` at the end. */
  nextPage: number | null;
}

/** One connector's detail page. */
export type DataSourceDetail =
  | { phase: 'loading' }
  | { phase: 'ready'; source: DataSource; refreshing: boolean }
  | { phase: 'not-found' }
  | { phase: 'failed' };

const nothingFound = (): FoundSources => ({ status: 'initial', ids: [], count: 0, nextPage: null });

const initial = (): DataSourcesState => ({
  status: 'initial',
  sources: [],
  partial: false,
  found: nothingFound(),
  types: [],
  details: {},
});

/** Written in this folder only. */
export const state = proxy<DataSourcesState>(initial());

/** Loads the list and the kinds of connectors. */
export async function loadDataSources(): Promise<void> {
  state.status = state.status === 'fetched' ? 'updating' : 'fetching';
  try {
    const [sources, types] = await Promise.all([listDataSources(), listDataSourceTypes()]);
    state.sources = sources.results;
    state.partial = sources.pagination.next !== null;
    state.types = types.results;
    state.status = 'fetched';
  } catch (error) {
    state.status = 'failed';
    throw error;
  }
}

/** Counts what was changed here, so that a list which was asked for before says nothing of it. */
export const changes = { count: 0 };

/** Fetches the list anew: which connectors were used lately is told by lists only. */
export async function refreshDataSources(): Promise<void> {
  if (state.status !== 'fetched') return;
  const before = changes.count;
  state.status = 'updating';
  try {
    const { results, pagination } = await listDataSources();
    if (before === changes.count) {
      state.sources = results;
      state.partial = pagination.next !== null;
    }
  } catch {
    notify.error('Failed to fetch connectors');
  }
  state.status = 'fetched';
}

/** Holds connectors that the list did not bring. */
export function hold(sources: readonly DataSource[]): void {
  const known = new Set(state.sources.map((source) => source.id));
  state.sources.push(...sources.filter((source) => !known.has(source.id)));
}

/** Counts the searches: an answer that another search has overtaken is dropped. */
export const searches = { count: 0 };

/** Everything that is held of a connector: its entry in the list, and its details. */
export function copiesOf(id: number): DataSource[] {
  const detail = state.details[id];
  const inList = state.sources.filter((source) => source.id === id);
  return detail?.phase === 'ready' ? [...inList, detail.source] : inList;
}

/** Shows a connector as the server answers it after a change. What only lists tell stays as it was. */
export function replace(source: DataSource): void {
  changes.count++;
  const listed = state.sources.find((other) => other.id === source.id);
  if (listed) {
    const { name, description, projectLabels, version, updatedAt } = source;
    Object.assign(listed, { name, description, projectLabels, version, updatedAt });
  }
  if (state.details[source.id]) state.details[source.id] = { phase: 'ready', source, refreshing: false };
}

/** Takes a connector out of everything that is held. */
export function drop(id: number): void {
  changes.count++;
  state.sources = state.sources.filter((source) => source.id !== id);
  state.found.ids = state.found.ids.filter((held) => held !== id);
  state.details = Object.fromEntries(Object.entries(state.details).filter(([held]) => Number(held) !== id));
}

export function resetDataSources(): void {
  searches.count++;
  Object.assign(state, initial());
}
