import { Skeleton } from '@radix-ui/themes';
import { BookOpenText, Pencil, Power, PowerOff } from 'lucide-react';
import { EmptyState } from '@/components/empty-state/empty-state';
import { ListFailed, NothingFound, RefreshFailed } from '@/components/entity-list/list-states';
import type { EntityActions } from '@/components/entity-menu/actions';
import { EntityMenu } from '@/components/entity-menu/entity-menu';
import { MemoryCard } from '@/components/memory/memory-card';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { isFirstLoad, type LoadStatus } from '@/lib/load-status';
import type { Memory, MemoryType, MemoryWord } from '@/lib/wire';
import { memories as t } from '@/messages/memories';
import { removeMemory, toggleMemory } from '@/stores/memories-store';
import styles from './memories.module.css';

interface MemoryGridProps {
  memories: readonly DeepReadonly<Memory>[];
  status: LoadStatus;
  /** The active filters of the list, in words. */
  asked: readonly string[];
  types: readonly DeepReadonly<MemoryType>[];
  labels: readonly DeepReadonly<MemoryWord>[];
  onClear: () => void;
  onRetry: () => void;
  onEdit: (memory: DeepReadonly<Memory>) => void;
}

const places = [1, 2, 3, 4, 5, 6];

/** One page of memories as cards, in all its states. */
export function MemoryGrid(props: MemoryGridProps) {
  const { memories, status, asked, types, labels, onClear, onRetry, onEdit } = props;

  if (memories.length === 0) {
    if (isFirstLoad(status)) {
      return (
        <div role="status" aria-label={t('list.loading')} className={styles.grid}>
          {places.map((place) => (
            <Skeleton key={place} className={styles.skeleton ?? ''} />
          ))}
        </div>
      );
    }
    if (status === 'failed') return <ListFailed title={t('list.failed')} onRetry={onRetry} />;
    if (asked.length > 0) return <NothingFound asked={asked} onClear={onClear} />;
    return (
      <EmptyState icon={<BookOpenText size={22} />} title={t('list.none')}>
        {t('list.empty')}
      </EmptyState>
    );
  }
  return (
    <>
      {status === 'failed' && <RefreshFailed onRetry={onRetry} />}
      <ul className={styles.grid} aria-label={t('list')}>
        {memories.map((memory) => (
          <li key={memory.id}>
            <MemoryCard
              memory={memory}
              type={types.find(({ id }) => id === memory.type)?.name ?? t('card.unknown')}
              labels={labels.filter(({ id }) => memory.labels.includes(id)).map(({ name }) => name)}
              onOpen={memory.abilities.edit ? () => onEdit(memory) : undefined}
              actions={<EntityMenu inList name={memory.name} actions={actionsOf(memory, onEdit)} />}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The actions of the person for a memory. */
function actionsOf(memory: DeepReadonly<Memory>, onEdit: MemoryGridProps['onEdit']): EntityActions {
  const { id, name, isEnabled, abilities } = memory;
  const size = 15;
  return {
    others: [
      ...(abilities.edit
        ? [{ label: t('edit'), icon: <Pencil size={size} />, onSelect: () => onEdit(memory) }]
        : []),
      ...(abilities.enable
        ? [
            {
              label: t(isEnabled ? 'deactivate' : 'activate'),
              icon: isEnabled ? <PowerOff size={size} /> : <Power size={size} />,
              onSelect: () => void toggleMemory(id, !isEnabled),
            },
          ]
        : []),
    ],
    ...(abilities.delete && {
      remove: {
        title: t('delete.title'),
        text: t('delete.text', { name }),
        onConfirm: () => removeMemory(id),
      },
    }),
  };
}
