import { useSnapshot } from 'valtio';
import { QuickView, type QuickContent } from '@/components/connector/quick-view';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import type { DetailState } from '@/lib/collection-state';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { DataSource } from '@/lib/wire';
import { loadDataSource, toggleDataSourceFavorite } from '@/stores/datasources-store/change';
import { dataSources } from '@/stores/datasources-store/sources';
import { SourceMenu } from './source-menu';

function contentOf(detail: DeepReadonly<DetailState<DataSource>> | undefined): QuickContent {
  if (!detail || detail.status === 'loading') return { phase: 'loading' };
  return detail.entity ? { phase: 'ready', tables: detail.entity.dataResourceSet } : { phase: 'failed' };
}

/** Quick view, star and menu of a connector in a list. */
export function SourceActions({ source }: { source: DeepReadonly<DataSource> }) {
  const { id, name, isFavorite } = source;
  const detail = useSnapshot(dataSources.state).details[id];
  return (
    <>
      <QuickView
        connector={source}
        to={paths.dataSource(id)}
        content={contentOf(detail)}
        onLoad={() => void loadDataSource(id)}
      />
      <SourceMenu source={source} inList />
      <FavoriteStar
        name={name}
        isFavorite={isFavorite}
        onChange={(to) => void toggleDataSourceFavorite(id, to)}
      />
    </>
  );
}
