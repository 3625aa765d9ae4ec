import { useSnapshot } from 'valtio';
import type { ConnectorSummary } from '@/components/connector/connector-card';
import { QuickView, type QuickContent } from '@/components/connector/quick-view';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import {
  dataSourcesState,
  loadDataSource,
  toggleDataSourceFavorite,
  type DataSourceDetail,
} from '@/stores/datasources-store';

/** What the lists of this area show of a connector. */
export interface ListedSource extends ConnectorSummary {
  readonly isFavorite: boolean;
  readonly lastUsedAt: string | null;
}

function contentOf(detail: DeepReadonly<DataSourceDetail> | undefined): QuickContent {
  if (!detail || detail.phase === 'loading') return { phase: 'loading' };
  return detail.phase === 'ready'
    ? { phase: 'ready', tables: detail.source.dataResourceSet }
    : { phase: 'failed' };
}

/** Quick view and star of a connector in a list. */
export function SourceActions({ source }: { source: ListedSource }) {
  const { id, name, isFavorite } = source;
  const detail = useSnapshot(dataSourcesState).details[id];
  return (
    <>
      <QuickView
        connector={source}
        to={paths.dataSource(id)}
        content={contentOf(detail)}
        onLoad={() => void loadDataSource(id)}
      />
      <FavoriteStar
        name={name}
        isFavorite={isFavorite}
        onChange={(to) => void toggleDataSourceFavorite(id, to)}
      />
    </>
  );
}
