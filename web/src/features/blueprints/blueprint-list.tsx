import { SegmentedControl, Text, TextField, Tooltip } from '@radix-ui/themes';
import { LayoutGrid, List, Search } from 'lucide-react';
import { useCallback, useEffect, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { BlueprintGrid, BlueprintSkeletons } from '@/components/blueprint/blueprint-grid';
import { BlueprintTable } from '@/components/blueprint/blueprint-table';
import { BlueprintsFailed, NoBlueprints, ShowMore } from '@/components/blueprint/blueprint-states';
import { StartDialog } from '@/components/blueprint/start-dialog';
import { blueprintQuery, held, type BlueprintQuery } from '@/lib/blueprint';
import { isFirstLoad } from '@/lib/load-status';
import { paths } from '@/lib/paths';
import { searchMax } from '@/lib/search';
import type { ListAddress } from '@/lib/use-address';
import { useDebounced } from '@/lib/use-debounced';
import {
  blueprintsState,
  loadBlueprints,
  loadMoreBlueprints,
  toggleBlueprintFavorite,
  useBlueprintStart,
  type BlueprintPlace,
} from '@/stores/blueprints-store';
import { putConversation } from '@/stores/conversations-store';
import { dataSourcesState } from '@/stores/datasources-store';
import styles from './blueprints.module.css';

interface BlueprintListProps {
  place: BlueprintPlace;
  /** What the page narrows by; the search is the list's own. */
  query: BlueprintQuery;
  /** Holds what is searched for and how the list is shown. */
  address: ListAddress;
  showOwner: boolean;
  /** What stands under the title of an empty list. */
  empty: string;
  /** The page's own filters, before the search. */
  filters: ReactNode;
}

/** Blueprints as cards or rows, with their search; choosing one starts it. */
export function BlueprintList({ place, query, address, showOwner, empty, filters }: BlueprintListProps) {
  const { byId, lists } = useSnapshot(blueprintsState);
  const { status, ids, count, nextPage } = lists[place];
  const { sources } = useSnapshot(dataSourcesState);
  const navigate = useNavigate();
  const { held: parameters, change, words, setWords } = address;
  const view = parameters.get('view') === 'list' ? 'list' : 'card';
  const { start, dialog } = useBlueprintStart();
  const search = useDebounced(words.trim());
  const { library, scope, category } = query;
  const load = useCallback(
    () => void loadBlueprints(place, blueprintQuery({ library, scope, category, search })),
    [place, library, scope, category, search],
  );
  useEffect(load, [load]);

  const found = held(byId, ids);
  const shown = {
    blueprints: found,
    showOwner,
    onStart: start,
    onFavorite: (id: number, to: boolean) => void toggleBlueprintFavorite(id, to),
  };

  return (
    <>
      <div className={styles.bar}>
        {filters}
        <TextField.Root
          className={styles.search ?? ''}
          placeholder="Search blueprints"
          aria-label="Search blueprints"
          maxLength={searchMax}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        >
          <TextField.Slot>
            <Search size={16} />
          </TextField.Slot>
        </TextField.Root>
        {search !== '' && status === 'fetched' && (
          <Text size="2" color="gray" role="status">
            Found: {count}
          </Text>
        )}
        <SegmentedControl.Root
          value={view}
          onValueChange={(value) => change({ view: value === 'list' ? 'list' : null })}
          aria-label="View"
          ml="auto"
        >
          <SegmentedControl.Item value="card">
            <Tooltip content="Cards">
              <LayoutGrid size={15} aria-label="Cards" />
            </Tooltip>
          </SegmentedControl.Item>
          <SegmentedControl.Item value="list">
            <Tooltip content="List">
              <List size={15} aria-label="List" />
            </Tooltip>
          </SegmentedControl.Item>
        </SegmentedControl.Root>
      </div>
      {isFirstLoad(status) && <BlueprintSkeletons />}
      {found.length > 0 &&
        (view === 'card' ? <BlueprintGrid label="Blueprints" {...shown} /> : <BlueprintTable {...shown} />)}
      {nextPage !== null && (
        <ShowMore loading={status === 'updating'} onClick={() => void loadMoreBlueprints(place)} />
      )}
      {status === 'failed' && <BlueprintsFailed onRetry={load} />}
      {status === 'fetched' && found.length === 0 && <NoBlueprints search={search}>{empty}</NoBlueprints>}
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
    </>
  );
}
