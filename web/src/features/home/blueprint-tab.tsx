import { Button, Heading, TextField } from '@radix-ui/themes';
import { Library, ListChecks, Search } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { blueprintCardHeight, blueprintWords } from '@/components/blueprint/blueprint-content';
import { BlueprintGrid } from '@/components/blueprint/blueprint-grid';
import { StartDialog } from '@/components/blueprint/start-dialog';
import { EmptyState } from '@/components/empty-state/empty-state';
import { ShowMore } from '@/components/entity-list/list-pages';
import { ListFailed, ListSkeletons, NothingFound } from '@/components/entity-list/list-states';
import { blueprintQuery } from '@/lib/blueprint';
import { isFirstLoad } from '@/lib/load-status';
import { paths } from '@/lib/paths';
import { searchMax } from '@/lib/search';
import { useList } from '@/lib/use-collection';
import { useDebounced } from '@/lib/use-debounced';
import { entityList } from '@/messages/entity-list';
import { home as t } from '@/messages/home';
import { beginWithBlueprint } from '@/stores/begin-with-blueprint';
import { blueprints } from '@/stores/blueprints-store/blueprints';
import { toggleBlueprintFavorite } from '@/stores/blueprints-store/change';
import { dataSources } from '@/stores/datasources-store/sources';
import styles from './home.module.css';

/** The blueprints of the person and of others come before those of the library. */
const titles = { exclude: 'blueprint.own', library: 'blueprint.ofLibrary' } as const;

const words = blueprintWords();

/** Chooses a blueprint, and starts a conversation with it. */
export function BlueprintTab() {
  const { byId } = useSnapshot(dataSources.state);
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [starting, setStarting] = useState<number | null>(null);
  const search = useDebounced(query.trim());
  const ownQuery = blueprintQuery({ library: 'exclude', search });
  const libraryQuery = blueprintQuery({ library: 'library', search });
  const own = useList(blueprints, ownQuery);
  const library = useList(blueprints, libraryQuery);
  const all = [
    { ...own, asked: ownQuery },
    { ...library, asked: libraryQuery },
  ];
  const dialog = all.flatMap(({ items }) => items).find(({ id }) => id === starting);
  const loading = all.some(({ status }) => isFirstLoad(status));
  const failed = all.some(({ status }) => status === 'failed');
  const none = !loading && !failed && all.every(({ count }) => count === 0);

  return (
    <section aria-label={t('blueprint.label')}>
      <div className={styles.bar}>
        <TextField.Root
          className={styles.search ?? ''}
          placeholder={t('blueprint.search')}
          data-search=""
          aria-label={t('blueprint.search')}
          maxLength={searchMax}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        >
          <TextField.Slot>
            <Search size={16} />
          </TextField.Slot>
        </TextField.Root>
        <Button asChild size="2" variant="soft" className={styles.start ?? ''}>
          <Link to={paths.blueprintLibrary}>
            <Library size={16} /> {t('blueprint.library')}
          </Link>
        </Button>
      </div>
      {loading && <ListSkeletons label={words.loading} view="card" cardHeight={blueprintCardHeight} />}
      {!loading &&
        all.map(({ asked, items, more, status }) => {
          const isLibrary = asked.library === 'library';
          const title = t(isLibrary ? titles.library : titles.exclude);
          if (items.length === 0) return null;
          return (
            <section key={title} aria-label={title} className={styles.section}>
              <Heading as="h2" size="3" mb="3">
                {title}
              </Heading>
              <BlueprintGrid
                label={title}
                blueprints={items}
                showOwner={!isLibrary}
                onStart={setStarting}
                onFavorite={(id, to) => void toggleBlueprintFavorite(id, to)}
              />
              {more && (
                <ShowMore loading={status === 'updating'} onMore={() => void blueprints.more(asked)} />
              )}
            </section>
          );
        })}
      {failed && (
        <ListFailed
          title={words.failed}
          onRetry={() => all.forEach(({ asked }) => void blueprints.load(asked))}
        />
      )}
      {none && search !== '' && (
        <NothingFound asked={[entityList('asked.search', { words: search })]} onClear={() => setQuery('')} />
      )}
      {none && search === '' && <EmptyState icon={<ListChecks size={22} />} title={words.none} />}
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
