import { Button, Text } from '@radix-ui/themes';
import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { EntitySearch } from '@/components/entity-list/entity-search';
import { PageSwitch } from '@/components/entity-list/list-pages';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatCount } from '@/lib/format';
import { isSpecialist, memoryPageSize, type MemoryQuery } from '@/lib/memory';
import { useListAddress } from '@/lib/use-address';
import { useList } from '@/lib/use-collection';
import type { Memory } from '@/lib/wire';
import { entityList } from '@/messages/entity-list';
import { memories as t } from '@/messages/memories';
import { loadMemoryWords, memories, memoryWords } from '@/stores/memories-store';
import { MemoryDialog } from './memory-dialog';
import { MemoryFilters } from './memory-filters';
import { MemoryGrid } from './memory-grid';
import styles from './memories.module.css';

/** Which dialog is open: of a new memory, of one, or none. */
type Editing = 'new' | DeepReadonly<Memory> | null;

/** The tab of `/memories` in which superusers manage the memories of the assistant. */
export function MemoryAdmin() {
  const { held, change, words, setWords } = useListAddress();
  const { status: wordsStatus, types, labels } = useSnapshot(memoryWords);
  const specialist = held.get('specialist');
  const query: MemoryQuery = {
    specialist: isSpecialist(specialist) ? specialist : null,
    type: Number(held.get('type')) || null,
    label: Number(held.get('label')) || null,
    search: held.get('search') ?? '',
    size: memoryPageSize,
  };
  const { status, items, count, first: page } = useList(memories, query);
  const [editing, setEditing] = useState<Editing>(null);

  useEffect(() => void loadMemoryWords(), []);

  const nameOf = (id: number | null, all: readonly { readonly id: number; readonly name: string }[]) =>
    all.find((one) => one.id === id)?.name;
  const type = nameOf(query.type, types);
  const label = nameOf(query.label, labels);
  const asked = [
    query.search.trim() !== '' && entityList('asked.search', { words: query.search.trim() }),
    query.specialist !== null && t('asked.specialist', { name: t(`specialist.${query.specialist}`) }),
    type !== undefined && t('asked.type', { name: type }),
    label !== undefined && t('asked.label', { name: label }),
  ].filter((part) => part !== false);

  function narrow(changes: Partial<MemoryQuery>): void {
    const written = Object.entries(changes).map(([name, value]) => [
      name,
      value === null ? null : String(value),
    ]);
    change(Object.fromEntries(written) as Record<string, string | null>);
  }

  function clear(): void {
    setWords('');
    change({ search: null, specialist: null, type: null, label: null });
  }

  return (
    <>
      <div className={styles.bar}>
        <EntitySearch
          label={t('search')}
          words={words}
          onWords={setWords}
          suggestions={[]}
          settled={false}
          onPick={() => undefined}
        />
        <MemoryFilters query={query} onQuery={narrow} />
        <Text size="2" color="gray" role="status" className={styles.count ?? ''}>
          {query.search === ''
            ? t('list.count', { count })
            : entityList('found', { count: formatCount(count) })}
        </Text>
        <Button disabled={wordsStatus !== 'fetched'} onClick={() => setEditing('new')}>
          <Plus size={16} aria-hidden="true" /> {t('new')}
        </Button>
      </div>
      <MemoryGrid
        memories={items}
        status={status}
        asked={asked}
        types={types}
        labels={labels}
        onClear={clear}
        onRetry={() => void memories.load(query)}
        onEdit={setEditing}
      />
      {items.length > 0 && (
        <PageSwitch
          page={page}
          size={memoryPageSize}
          count={count}
          onPage={(next) => void memories.goTo(query, next)}
        />
      )}
      {editing !== null && (
        <MemoryDialog memory={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </>
  );
}
