import { Button } from '@radix-ui/themes';
import { Library } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { BlueprintList } from '@/components/blueprint/blueprint-list';
import { StartDialog } from '@/components/blueprint/start-dialog';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import { blueprintQuery } from '@/lib/blueprint';
import { isFirstLoad, type LoadStatus } from '@/lib/load-status';
import { paths } from '@/lib/paths';
import { useList } from '@/lib/use-collection';
import { useDebounced } from '@/lib/use-debounced';
import { usePickerQuery } from '@/lib/use-picker-query';
import { blueprints as texts } from '@/messages/blueprints';
import { home as t } from '@/messages/home';
import { beginWithBlueprint } from '@/stores/begin-with-blueprint';
import { blueprints } from '@/stores/blueprints-store/blueprints';
import { toggleBlueprintFavorite } from '@/stores/blueprints-store/change';
import { dataSources } from '@/stores/datasources-store/sources';
import styles from './home.module.css';

const segments = [
  { value: 'all', label: texts('scope.all') },
  { value: 'own', label: t('blueprint.own') },
  { value: 'library', label: t('blueprint.ofLibrary') },
] as const;

/** The state of lists that are shown as one. */
function together(statuses: readonly LoadStatus[]): LoadStatus {
  return (
    statuses.find(isFirstLoad) ??
    statuses.find((status) => status === 'failed') ??
    statuses.find((status) => status === 'updating') ??
    'fetched'
  );
}

/** Chooses a blueprint, and starts a conversation with it. */
export function BlueprintTab() {
  const { byId } = useSnapshot(dataSources.state);
  const navigate = useNavigate();
  const { query, change } = usePickerQuery(['all', 'own', 'library']);
  const [starting, setStarting] = useState<number | null>(null);
  const search = useDebounced(query.search.trim());
  const ownQuery = blueprintQuery({ library: 'exclude', search });
  const libraryQuery = blueprintQuery({ library: 'library', search });
  // The blueprints of the person and of others come before those of the library.
  const groups = [
    { segment: 'own', asked: ownQuery, ...useList(blueprints, ownQuery) },
    { segment: 'library', asked: libraryQuery, ...useList(blueprints, libraryQuery) },
  ].filter(({ segment }) => query.segment === 'all' || query.segment === segment);
  const status = together(groups.map((group) => group.status));
  // What comes later is shown after what is there: the next group only if there is no more of the one before.
  const next = groups.findIndex(({ more }) => more);
  const items = isFirstLoad(status)
    ? []
    : groups.slice(0, next === -1 ? undefined : next + 1).flatMap((group) => group.items);
  const dialog = items.find(({ id }) => id === starting);
  const more = groups[next];

  return (
    <section aria-label={t('blueprint.label')}>
      <BlueprintList
        items={items}
        status={status}
        count={groups.reduce((sum, { count }) => sum + count, 0)}
        query={query}
        onQuery={change}
        segments={segments}
        filters={
          <Button asChild size="2" variant="soft" className={styles.library ?? ''}>
            <Link to={paths.blueprintLibrary}>
              <Library size={16} /> {t('blueprint.library')}
            </Link>
          </Button>
        }
        showOwner
        empty={texts('empty.all')}
        actions={(blueprint) => (
          <FavoriteStar
            name={blueprint.name}
            isFavorite={blueprint.isFavorite}
            onChange={(to) => void toggleBlueprintFavorite(blueprint.id, to)}
          />
        )}
        onStart={setStarting}
        onRetry={() => groups.forEach(({ asked }) => void blueprints.load(asked))}
        more={
          more && {
            loading: more.status === 'updating',
            onMore: () => void blueprints.more(more.asked),
          }
        }
      />
      <StartDialog
        blueprint={dialog ?? null}
        connectors={byId}
        onStart={beginWithBlueprint}
        onStarted={(conversation) => void navigate(paths.conversation(conversation))}
        onClose={() => setStarting(null)}
      />
    </section>
  );
}
