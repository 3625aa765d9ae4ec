import { useMemo } from 'react';
import type { Collection } from './collection';
import {
  everySource,
  filterDataSources,
  type DataSourceFilter,
  type DataSourceQuery,
} from './datasource-filter';
import type { DeepReadonly } from './deep-readonly';
import type { LoadStatus } from './load-status';
import { searchByName } from './search';
import { useList } from './use-collection';
import { useDebounced } from './use-debounced';
import type { DataSource } from './wire';

/** Connectors as a list shows them. */
interface SourceList {
  items: DeepReadonly<DataSource>[];
  status: LoadStatus;
  /** The number of connectors, shown or not. */
  count: number;
  /** Fetches more of them; `null` if all are loaded. */
  more: { loading: boolean; onMore: () => void } | null;
  onRetry: () => void;
}

/**
 * The connectors that a list shows. If all of them are loaded, they are filtered here without a request; otherwise
 * the server filters them, and the previous results stay until its answer arrives.
 */
export function useSourceList(
  sources: Collection<DataSource, DataSourceQuery>,
  filter: DataSourceFilter,
  project: number | null,
  typed: string,
): SourceList {
  const words = useDebounced(typed.trim());
  const whole = useList(sources, everySource);
  const asked = whole.more ? { filter, project, words } : everySource;
  const found = useList(sources, asked);
  const all = whole.items;
  const here = useMemo(
    () => searchByName(filterDataSources(all, filter, project), typed),
    [all, filter, project, typed],
  );

  const { status } = found;
  const onRetry = (): void => void sources.refresh(asked);
  if (!whole.more) return { items: here, status, count: here.length, more: null, onRetry };
  const more = found.more ? { loading: status === 'updating', onMore: () => void sources.more(asked) } : null;
  return { items: found.items, status, count: found.count, more, onRetry };
}
