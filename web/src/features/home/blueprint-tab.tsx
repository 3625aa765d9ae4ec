import { Button, Heading, TextField } from '@radix-ui/themes';
import { Library, Search } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { BlueprintGrid, BlueprintSkeletons } from '@/components/blueprint/blueprint-grid';
import { BlueprintsFailed, NoBlueprints, ShowMore } from '@/components/blueprint/blueprint-states';
import { StartDialog } from '@/components/blueprint/start-dialog';
import { blueprintQuery, held } from '@/lib/blueprint';
import { isFirstLoad } from '@/lib/load-status';
import { paths } from '@/lib/paths';
import { searchMax } from '@/lib/search';
import { useDebounced } from '@/lib/use-debounced';
import {
  blueprintsState,
  loadBlueprints,
  loadMoreBlueprints,
  toggleBlueprintFavorite,
  useBlueprintStart,
} from '@/stores/blueprints-store';
import { putConversation } from '@/stores/conversations-store';
import { dataSourcesState } from '@/stores/datasources-store';
import styles from './home.module.css';

/** The person's own blueprints and those of others come before the library's. */
const sections = [
  { place: 'home-own', library: 'exclude', title: 'Yours and shared with you' },
  { place: 'home-library', library: 'library', title: 'Library' },
] as const;

/** Chooses a blueprint, and starts a conversation with it. */
export function BlueprintTab() {
  const { byId, lists } = useSnapshot(blueprintsState);
  const { sources } = useSnapshot(dataSourcesState);
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const { start, dialog } = useBlueprintStart();
  const search = useDebounced(query.trim());

  const load = useCallback(() => {
    for (const { place, library } of sections)
      void loadBlueprints(place, blueprintQuery({ library, search }));
  }, [search]);
  useEffect(load, [load]);

  const all = [lists['home-own'], lists['home-library']];
  const loading = all.some(({ status }) => isFirstLoad(status));
  const failed = all.some(({ status }) => status === 'failed');
  const none = !loading && !failed && all.every(({ count }) => count === 0);

  return (
    <section aria-label="Choose a blueprint">
      <div className={styles.bar}>
        <TextField.Root
          className={styles.search ?? ''}
          placeholder="Search blueprints"
          aria-label="Search blueprints"
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
            <Library size={16} /> Library Blueprints
          </Link>
        </Button>
      </div>
      {loading && <BlueprintSkeletons />}
      {!loading &&
        sections.map(({ place, title }) => {
          const { ids, nextPage, status } = lists[place];
          if (ids.length === 0) return null;
          return (
            <section key={place} aria-label={title} className={styles.section}>
              <Heading as="h2" size="3" mb="3">
                {title}
              </Heading>
              <BlueprintGrid
                label={title}
                blueprints={held(byId, ids)}
                showOwner={place === 'home-own'}
                onStart={start}
                onFavorite={(id, to) => void toggleBlueprintFavorite(id, to)}
              />
              {nextPage !== null && (
                <ShowMore loading={status === 'updating'} onClick={() => void loadMoreBlueprints(place)} />
              )}
            </section>
          );
        })}
      {failed && <BlueprintsFailed onRetry={load} />}
      {none && <NoBlueprints search={search} />}
      {dialog && (
        <StartDialog
          {...dialog}
          connectors={sources}
          onStarted={(conversation) => {
            putConversation({ ...conversation, messageSet: [] });
            void navigate(paths.conversation(conversation.id));
          }}
        />
      )}
    </section>
  );
}
