import { useState, type ReactNode } from 'react';
import { BlueprintList } from '@/components/blueprint/blueprint-list';
import type { AddEntity, ListQuery, ListSegment } from '@/components/entity-list/entity';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import { blueprintQuery, type BlueprintQuery } from '@/lib/blueprint';
import { searchByName } from '@/lib/search';
import { useList } from '@/lib/use-collection';
import { useDebounced } from '@/lib/use-debounced';
import { blueprints } from '@/stores/blueprints-store/blueprints';
import { toggleBlueprintFavorite } from '@/stores/blueprints-store/change';
import { projectLabels } from '@/stores/project-labels-store';
import { BlueprintMenu } from './blueprint-menu';
import { BlueprintStart } from './blueprint-start';

interface LoadedBlueprintsProps {
  label: string;
  /** The filters of the page; project and search are those of the list. */
  narrowed: Partial<BlueprintQuery>;
  query: ListQuery;
  onQuery: (changes: Partial<ListQuery>) => void;
  segments?: readonly ListSegment[];
  filters?: ReactNode;
  /** The active filters, in words. */
  filtered?: string | undefined;
  showOwner: boolean;
  add?: AddEntity;
  /** The text under the title of an empty list. */
  empty: string;
}

/** The blueprints of a page, with their stars, menus and start buttons. */
export function LoadedBlueprints({ narrowed, ...list }: LoadedBlueprintsProps) {
  const { query } = list;
  const { items: projects } = useList(projectLabels, undefined);
  const search = useDebounced(query.search.trim());
  const asked = blueprintQuery({ ...narrowed, project: query.project, search });
  const { items, status, count, more } = useList(blueprints, asked);
  const [starting, setStarting] = useState<number | null>(null);
  const started = items.find(({ id }) => id === starting);

  return (
    <>
      <BlueprintList
        {...list}
        items={searchByName(items, search)}
        status={status}
        count={count}
        projects={projects}
        actions={(blueprint) => (
          <>
            <FavoriteStar
              name={blueprint.name}
              isFavorite={blueprint.isFavorite}
              onChange={(to) => void toggleBlueprintFavorite(blueprint.id, to)}
            />
            <BlueprintMenu blueprint={blueprint} inList />
          </>
        )}
        onStart={setStarting}
        onRetry={() => void blueprints.refresh(asked)}
        more={more ? { loading: status === 'updating', onMore: () => void blueprints.more(asked) } : null}
      />
      <BlueprintStart blueprint={started ?? null} onClose={() => setStarting(null)} />
    </>
  );
}
