import { Button } from '@radix-ui/themes';
import { BookOpenText, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import type { EntityWords, ListQuery } from '@/components/entity-list/entity';
import { EntityList } from '@/components/entity-list/entity-list';
import { EntityMenu } from '@/components/entity-menu/entity-menu';
import { memoryCard, memoryCardHeight } from '@/components/memory/memory-content';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatDay } from '@/lib/format';
import { isSpecialist, memoryPageSize, type MemoryQuery } from '@/lib/memory';
import { useListAddress } from '@/lib/use-address';
import { useList } from '@/lib/use-collection';
import type { Memory } from '@/lib/wire';
import { memories as t } from '@/messages/memories';
import { loadMemoryWords, memories, memoryWords } from '@/stores/memories-store';
import { memoryActions } from './memory-actions';
import { MemoryDialog } from './memory-dialog';
import { MemoryFilters } from './memory-filters';

/** Which dialog is open: of a new memory, of one, or none. */
type Editing = 'new' | DeepReadonly<Memory> | null;

const words: EntityWords = {
  list: t('list'),
  search: t('search'),
  count: (count) => t('list.count', { count }),
  none: t('list.none'),
  loading: t('list.loading'),
  failed: t('list.failed'),
};

/** The tab of `/memories` in which superusers manage the memories of the assistant. */
export function MemoryAdmin() {
  const { held, change, words: search, setWords } = useListAddress();
  const { types, labels } = useSnapshot(memoryWords);
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

  const type = types.find(({ id }) => id === query.type)?.name;
  const label = labels.find(({ id }) => id === query.label)?.name;
  const narrowed = [
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

  function onQuery(changes: Partial<ListQuery>): void {
    setWords(changes.search ?? search);
    // Clear resets all filters of the list.
    if (changes.segment !== undefined) change({ search: null, specialist: null, type: null, label: null });
  }

  function create(): void {
    // If its types and labels could not be loaded before, this is another try.
    void loadMemoryWords();
    setEditing('new');
  }

  return (
    <>
      <EntityList
        words={words}
        items={items.map((memory) => ({
          ...memory,
          typeName: types.find(({ id }) => id === memory.type)?.name ?? t('card.unknown'),
          labelNames: labels.filter(({ id }) => memory.labels.includes(id)).map(({ name }) => name),
        }))}
        status={status}
        count={count}
        query={{ segment: '', project: null, search, view: 'card', sort: null }}
        onQuery={onQuery}
        filters={<MemoryFilters query={query} onQuery={narrow} />}
        filtered={narrowed.length > 0 ? narrowed.join(', ') : undefined}
        card={memoryCard}
        cardHeight={memoryCardHeight}
        wideCards
        open={(memory) => ({ onOpen: () => setEditing(memory), disabled: !memory.abilities.edit })}
        actions={(memory) => (
          <EntityMenu inList name={memory.name} actions={memoryActions(memory, () => setEditing(memory))} />
        )}
        suggestionNote={({ updatedAt }) => formatDay(updatedAt)}
        add={{ label: t('new'), onAdd: create }}
        empty={{
          icon: <BookOpenText size={22} />,
          text: t('list.empty'),
          action: (
            <Button onClick={create}>
              <Plus size={16} aria-hidden="true" /> {t('new')}
            </Button>
          ),
        }}
        onRetry={() => void memories.load(query)}
        pages={{ page, size: memoryPageSize, onPage: (next) => void memories.goTo(query, next) }}
      />
      {editing !== null && (
        <MemoryDialog memory={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </>
  );
}
