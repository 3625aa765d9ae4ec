import { SegmentedControl, Text, TextField, Tooltip } from '@radix-ui/themes';
import { LayoutGrid, List, Search } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { BlueprintGrid, BlueprintSkeletons } from '@/components/blueprint/blueprint-grid';
import { BlueprintTable } from '@/components/blueprint/blueprint-table';
import { BlueprintsFailed, NoBlueprints, ShowMore } from '@/components/blueprint/blueprint-states';
import { StartDialog } from '@/components/blueprint/start-dialog';
import { blueprintQuery, type BlueprintQuery } from '@/lib/blueprint';
import { isFirstLoad } from '@/lib/load-status';
import { paths } from '@/lib/paths';
import { searchMax } from '@/lib/search';
import type { ListAddress } from '@/lib/use-address';
import { useList } from '@/lib/use-collection';
import { useDebounced } from '@/lib/use-debounced';
import { everySource } from '@/lib/datasource-filter';
import { blueprints as t } from '@/messages/blueprints';
import { blueprints } from '@/stores/blueprints-store/blueprints';
import { toggleBlueprintFavorite } from '@/stores/blueprints-store/change';
import { startBlueprint } from '@/stores/blueprints-store/start';
import { putConversation } from '@/stores/conversations-store';
import { dataSources as heldSources } from '@/stores/datasources-store/sources';
import { BlueprintMenu } from './blueprint-menu';
import styles from './blueprints.module.css';

interface BlueprintListProps {
  /** What the page narrows by; the search is the list's own. */
  query: BlueprintQuery;
  /** Holds what is searched for and how the list is shown. */
  address: ListAddress;
  showOwner: boolean;
  /** What stands under the title of an empty list. */
  empty: string;
  /** Stands before the cards. */
  first?: ReactNode;
  /** The page's own filters, before the search. */
  filters: ReactNode;
}

/** Blueprints as cards or rows, with their search; choosing one starts it. */
export function BlueprintList({ query, address, showOwner, empty, first, filters }: BlueprintListProps) {
  const { items: sources } = useList(heldSources, everySource);
  const navigate = useNavigate();
  const { held: parameters, change, words, setWords } = address;
  const view = parameters.get('view') === 'list' ? 'list' : 'card';
  const [starting, setStarting] = useState<number | null>(null);
  const search = useDebounced(words.trim());
  const asked = blueprintQuery({ ...query, search });
  const { status, items: found, count, more } = useList(blueprints, asked);
  const dialog = found.find(({ id }) => id === starting);

  const shown = {
    blueprints: found,
    showOwner,
    onStart: setStarting,
    onFavorite: (id: number, to: boolean) => void toggleBlueprintFavorite(id, to),
    menu: (id: number) => {
      const blueprint = found.find((one) => one.id === id);
      return blueprint && <BlueprintMenu blueprint={blueprint} inList />;
    },
  };

  return (
    <>
      <div className={styles.bar}>
        {filters}
        <TextField.Root
          className={styles.search ?? ''}
          placeholder={t('list.search')}
          aria-label={t('list.search')}
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
            {t('list.found', { count })}
          </Text>
        )}
        <SegmentedControl.Root
          value={view}
          onValueChange={(value) => change({ view: value === 'list' ? 'list' : null })}
          aria-label={t('list.view')}
          ml="auto"
        >
          <SegmentedControl.Item value="card">
            <Tooltip content={t('list.cards')}>
              <LayoutGrid size={15} aria-label={t('list.cards')} />
            </Tooltip>
          </SegmentedControl.Item>
          <SegmentedControl.Item value="list">
            <Tooltip content={t('list.rows')}>
              <List size={15} aria-label={t('list.rows')} />
            </Tooltip>
          </SegmentedControl.Item>
        </SegmentedControl.Root>
      </div>
      {isFirstLoad(status) && <BlueprintSkeletons />}
      {found.length > 0 &&
        (view === 'card' ? (
          <BlueprintGrid label={t('list')} first={first} {...shown} />
        ) : (
          <BlueprintTable {...shown} />
        ))}
      {more && <ShowMore loading={status === 'updating'} onClick={() => void blueprints.more(asked)} />}
      {status === 'failed' && <BlueprintsFailed onRetry={() => void blueprints.load(asked)} />}
      {status === 'fetched' && found.length === 0 && <NoBlueprints search={search}>{empty}</NoBlueprints>}
      {dialog && (
        <StartDialog
          blueprint={dialog}
          onStart={startBlueprint}
          onClose={() => setStarting(null)}
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
