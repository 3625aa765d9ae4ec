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
  /** How many there are, shown or not. */
  count: number;
  /** Fetches more of them; `null` where all are here. */
  more: { loading: boolean; onMore: () => void } | null;
  onRetry: () => void;
}

/**
 * The connectors that a list shows. Where all of them are here they are narrowed at once and nothing is asked; of
 * more than that, by the server, and those found before stay until its answer is there.
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
