import { useSortable } from '@dnd-kit/sortable';
import { IconButton } from '@radix-ui/themes';
import { GripVertical } from 'lucide-react';
import { useCallback, useState, type KeyboardEvent, type ReactNode } from 'react';
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
  const [card, setCard] = useState<HTMLElement | null>(null);
  const hold = useCallback(
    (element: HTMLElement | null) => {
      setNodeRef(element);
      setCard(element);
    },
    [setNodeRef],
  );
  const moved = transform && (isDragging && card ? withinList(card, transform.y) : transform.y);
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
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a shortcut for the content of the entry; the handle has it, too
    <li
      ref={hold}
      className={cx(styles.item, isDragging && styles.dragging)}
      style={{ transform: moved === null ? undefined : `translate3d(0, ${moved}px, 0)`, transition }}
      onKeyDown={onKeyDown}
    >
      {children(handle)}
    </li>
  );
}

/**
 * Limits the movement of a card to its list. A card below the list would make the page longer, and the page, which
 * scrolls while a card is held at its edge, would scroll without end.
 */
function withinList(card: HTMLElement, y: number): number {
  const list = card.parentElement;
  if (list === null) return y;
  const above = card.offsetTop - list.offsetTop;
  return Math.min(Math.max(y, -above), list.clientHeight - above - card.offsetHeight);
}
