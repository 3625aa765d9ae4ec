import { useEffect, useMemo, useState } from 'react';
import { useSnapshot } from 'valtio';
import { findDataSources, getDataSource } from '@/api/datasources';
import { ApiError } from '@/api/errors';
import { byIds } from '@/lib/connector-picker';
import { filterDataSources, type DataSourceFilter, type DataSourceQuery } from '@/lib/datasource-filter';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { searchByName } from '@/lib/search';
import { useDebounced } from '@/lib/use-debounced';
import type { DataSource } from '@/lib/wire';
import { hold, searches, state } from './state';

async function findPage(query: DataSourceQuery, page: number): Promise<void> {
  const mine = ++searches.count;
  const { found } = state;
  // There is no more of what is being replaced.
  if (page === 1) found.nextPage = null;
  found.status = found.status === 'initial' ? 'fetching' : 'updating';
  try {
    const { results, pagination } = await findDataSources(query, page);
    if (mine !== searches.count) return;
    hold(results);
    const ids = results.map((source) => source.id);
    found.ids = page === 1 ? ids : [...new Set([...found.ids, ...ids])];
    found.count = pagination.count;
    found.nextPage = pagination.next === null ? null : page + 1;
    found.status = 'fetched';
  } catch {
    if (mine !== searches.count) return;
    found.status = 'failed';
    notify.error('Failed to fetch connectors');
  }
}

/** Connectors as a list shows them. */
interface SourceList {
  sources: DeepReadonly<DataSource[]>;
  /** How many there are, shown or not. */
  count: number;
  /** Fetches more of them; `null` where all are here. */
  onMore: (() => void) | null;
}

/**
 * The connectors that a list shows. Where all of them are here they are narrowed at once; of more
 * than that, by the server, and those found before stay until its answer is there.
 */
function useSourceList(filter: DataSourceFilter, project: number | null, typed: string): SourceList {
  const { sources, partial, found } = useSnapshot(state);
  const words = useDebounced(typed.trim());
  const here = useMemo(
    () => (partial ? [] : searchByName(filterDataSources(sources, filter, project), typed)),
    [partial, sources, filter, project, typed],
  );
  useEffect(() => {
    if (partial) void findPage({ filter, project, words }, 1);
  }, [partial, filter, project, words]);

  if (!partial) return { sources: here, count: here.length, onMore: null };
  const { nextPage } = found;
  return {
    sources: byIds(sources, found.ids),
    count: found.count,
    onMore: nextPage === null ? null : () => void findPage({ filter, project, words }, nextPage),
  };
}

/** So many are shown at first, and so many more at a time. */
const step = 60;

/** The part of a list that is shown. */
interface ShownSources {
  shown: DeepReadonly<DataSource[]>;
  /** How many there are, shown or not. */
  count: number;
  /** Whether the list is empty. */
  none: boolean;
  /** Shows more of them; `null` where all are shown. */
  more: (() => void) | null;
  /** Shows the beginning again. */
  restart: () => void;
}

/** `useSourceList`, a part at a time: thousands of cards at once would hold up the page. */
export function useShownSources(
  filter: DataSourceFilter,
  project: number | null,
  typed: string,
): ShownSources {
  const { sources, count, onMore } = useSourceList(filter, project, typed);
  const [limit, setLimit] = useState(step);
  const more = (): void => {
    setLimit(limit + step);
    if (sources.length < limit + step) onMore?.();
  };
  const shown = sources.slice(0, limit);
  return {
    shown,
    count,
    none: sources.length === 0,
    more: count > shown.length ? more : null,
    restart: () => setLimit(step),
  };
}

/**
 * Brings connectors that an address or a conversation names and that the list did not bring. Answers those that are
 * gone, or never were this person's: they are left out as they are from any list.
 */
export async function holdDataSources(ids: readonly number[]): Promise<number[]> {
  const missing = ids.filter((id) => !state.sources.some((source) => source.id === id));
  // A list that is here whole knows.
  if (!state.partial) return state.status === 'fetched' || state.status === 'updating' ? missing : [];
  const answers = await Promise.allSettled(missing.map((id) => getDataSource(id)));
  hold(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])));
  return missing.filter((_, place) => {
    const answer = answers[place];
    return answer?.status === 'rejected' && answer.reason instanceof ApiError && answer.reason.status === 404;
  });
}
