import { useSortable } from '@dnd-kit/sortable';
import { IconButton } from '@radix-ui/themes';
import { GripVertical } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Tooltip } from '@/components/tooltip/tooltip';
import { cx } from '@/lib/cx';
import { sortableList as t } from '@/messages/sortable-list';
import styles from './sortable-list.module.css';

interface SortableItemProps {
  id: string;
  name: string;
  fixed: boolean;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  children: (handle: ReactNode) => ReactNode;
}

/** One entry of a sortable list, with the handle that moves it. */
export function SortableItem({ id, name, fixed, onKeyDown, children }: SortableItemProps) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } =
    useSortable({ id, disabled: fixed });
  const handle = fixed ? null : (
    <Tooltip content={t('tooltip')}>
      <IconButton
        ref={setActivatorNodeRef}
        type="button"
        size="1"
        variant="ghost"
        color="gray"
        className={styles.handle ?? ''}
        aria-describedby={attributes['aria-describedby']}
        {...listeners}
        aria-label={t('handle', { name })}
      >
        <GripVertical size={16} />
      </IconButton>
    </Tooltip>
  );
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a shortcut for what stands in the entry; the handle has it, too
    <li
      ref={setNodeRef}
      className={cx(styles.item, isDragging && styles.dragging)}
      style={{ transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }}
      onKeyDown={onKeyDown}
    >
      {children(handle)}
    </li>
  );
}
