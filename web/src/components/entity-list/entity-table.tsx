import { lazy, Suspense, type ReactNode } from 'react';
import sideways from '@/components/surface/sideways.module.css';
import { cx } from '@/lib/cx';
import type { Entity, EntityColumn, EntityOpening, EntitySelection, ListSort } from './entity';
import { EntityRow, type RowContext } from './entity-row';
import { EntityTableHead } from './entity-table-head';
import { pressRow } from './press-row';
import { moveByArrows } from './use-arrow-keys';
import type { VirtualTable as VirtualTableType } from './virtual-table';
import styles from './entity-table.module.css';

/** The props of the table. */
export interface EntityTableProps<T extends Entity> {
  label: string;
  items: readonly T[];
  columns: readonly EntityColumn<T>[];
  open: ((item: T) => EntityOpening) | undefined;
  selection: EntitySelection | undefined;
  actions: ((item: T) => ReactNode) | undefined;
  sort: ListSort | null;
  onSort: (sort: ListSort | null) => void;
  /** The height in pixels within which the table scrolls, as in a dialog; if left out, the page scrolls. */
  height?: number | undefined;
}

/** Up to this number, all rows are rendered; above it only those in view. */
const drawnAtOnce = 100;
const initialItems = 15;

// Loaded on demand: most lists are short and do not need it.
const LazyTable = lazy(() => import('./virtual-table').then((loaded) => ({ default: loaded.VirtualTable })));
const VirtualTable = LazyTable as unknown as typeof VirtualTableType;

/** Entities as rows of one height. The name sticks while the rest scrolls sideways. */
export function EntityTable<T extends Entity>(props: EntityTableProps<T>) {
  const { label, columns, open, selection, actions, sort, onSort, height } = props;
  const items = sorted(props.items, columns, sort);
  const context: RowContext<T> = { columns, open, selection, actions };
  const head = <EntityTableHead context={context} sort={sort} onSort={onSort} />;
  const plain = { label, context, head, height };
  if (items.length <= drawnAtOnce) return <PlainTable {...plain} items={items} />;
  return (
    <Suspense fallback={<PlainTable {...plain} items={items.slice(0, initialItems)} />}>
      <VirtualTable {...plain} items={items} />
    </Suspense>
  );
}

interface PlainTableProps<T extends Entity> {
  label: string;
  items: readonly T[];
  context: RowContext<T>;
  head: ReactNode;
  height: number | undefined;
}

function PlainTable<T extends Entity>({ label, items, context, head, height }: PlainTableProps<T>) {
  return (
    <div
      className={cx(styles.scroll, sideways.table)}
      {...(height !== undefined && { style: { maxHeight: height } })}
    >
      <table className={styles.table} aria-label={label}>
        <thead>{head}</thead>
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a press is passed to the row's own control, the arrow keys from one to the next */}
        <tbody onClick={pressRow} onKeyDown={moveByArrows}>
          {items.map((item) => (
            <tr key={item.id} className={styles.row}>
              <EntityRow item={item} context={context} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sorted<T extends Entity>(
  items: readonly T[],
  columns: readonly EntityColumn<T>[],
  sort: ListSort | null,
): readonly T[] {
  const compare = columns.find(({ id }) => id === sort?.column)?.sort;
  if (sort === null || typeof compare !== 'function') return items;
  return [...items].sort((a, b) => (sort.descending ? compare(b, a) : compare(a, b)));
}
