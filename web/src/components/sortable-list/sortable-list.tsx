import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
  type Announcements,
  type DragEndEvent,
  type UniqueIdentifier,
} from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { VisuallyHidden } from '@radix-ui/themes';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { sortableList as t } from '@/messages/sortable-list';
import { SortableItem } from './sortable-item';
import styles from './sortable-list.module.css';

/** One entry of the list. */
export interface SortableEntry {
  /** It does not change when the entry is moved. */
  readonly id: string;
  /** The name of the entry in announcements when it is moved. */
  readonly name: string;
}

interface SortableListProps<T extends SortableEntry> {
  label: string;
  entries: readonly T[];
  /** Nothing can be moved: no handles are shown. */
  fixed?: boolean | undefined;
  onMove: (from: number, to: number) => void;
  /** Renders an entry; `handle` is the element to move it with, or `null` if nothing can be moved. */
  children: (entry: T, index: number, handle: ReactNode) => ReactNode;
}

/** Elements in which arrow keys with Alt have another meaning. */
const typing = 'textarea, [contenteditable="true"]';

/**
 * A column of cards whose order people choose: by dragging the handle, with its keys, or with Alt and the arrow
 * keys.
 */
export function SortableList<T extends SortableEntry>(props: SortableListProps<T>) {
  const { label, entries, fixed = false, onMove, children } = props;
  const [told, setTold] = useState('');
  const hasMoved = useRef(false);
  const sensors = useSensors(
    // A press that does not move is a click.
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const indexOf = (id: UniqueIdentifier): number => entries.findIndex((entry) => entry.id === id);
  const nameAt = (index: number): string => entries[index]?.name ?? '';
  const say = (text: 'lifted' | 'over' | 'moved' | 'cancelled', of: UniqueIdentifier, at = of): string =>
    t(text, { name: nameAt(indexOf(of)), position: indexOf(at) + 1, count: entries.length });

  const announcements: Announcements = {
    onDragStart: ({ active }) => {
      hasMoved.current = false;
      return say('lifted', active.id);
    },
    // A picked-up entry is over its own place first: that is not a move, and its announcement would replace the
    // first one.
    onDragOver: ({ active, over }) => {
      hasMoved.current ||= over !== null && over.id !== active.id;
      return over && hasMoved.current ? say('over', active.id, over.id) : undefined;
    },
    onDragEnd: ({ active, over }) => say('moved', active.id, over?.id ?? active.id),
    onDragCancel: ({ active }) => say('cancelled', active.id),
  };

  function drop({ active, over }: DragEndEvent): void {
    if (over && over.id !== active.id) onMove(indexOf(active.id), indexOf(over.id));
  }

  function moveByKey(event: KeyboardEvent<HTMLElement>, index: number): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    const { target } = event;
    if (fixed || event.defaultPrevented || !(target instanceof HTMLElement)) return;
    // In a longer text, and in code, these keys move the cursor or the line.
    if (target.matches(typing) || target.shadowRoot !== null) return;
    event.preventDefault();
    const to = index + (event.key === 'ArrowUp' ? -1 : 1);
    if (to < 0 || to >= entries.length) return;
    const focused = document.activeElement;
    flushSync(() => {
      onMove(index, to);
      setTold(t('moved', { name: nameAt(index), position: to + 1, count: entries.length }));
    });
    // An element that is moved within the document loses the focus.
    if (focused instanceof HTMLElement && focused !== document.activeElement) focused.focus();
    focused?.scrollIntoView({ block: 'nearest' });
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('instructions') } }}
      onDragEnd={drop}
    >
      <SortableContext items={[...entries]} strategy={verticalListSortingStrategy}>
        <ol className={styles.list} aria-label={label}>
          {entries.map((entry, index) => (
            <SortableItem
              key={entry.id}
              id={entry.id}
              name={entry.name}
              fixed={fixed}
              onKeyDown={(event) => moveByKey(event, index)}
            >
              {(handle) => children(entry, index, handle)}
            </SortableItem>
          ))}
        </ol>
      </SortableContext>
      <VisuallyHidden role="status">{told}</VisuallyHidden>
    </DndContext>
  );
}
