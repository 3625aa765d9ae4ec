import type { ReactNode } from 'react';
import { TableVirtuoso, type TableComponents } from 'react-virtuoso';
import { cx } from '@/lib/cx';
import { useScrollParent } from '@/lib/use-scroll-parent';
import type { Entity, EntityColumn, EntityOpening, EntitySelection, ListSort } from './entity';
import { EntityRow, type RowContext } from './entity-row';
import { EntityTableHead } from './entity-table-head';
import { moveByArrows } from './use-arrow-keys';
import styles from './entity-table.module.css';

interface EntityTableProps<T extends Entity> {
  label: string;
  items: readonly T[];
  columns: readonly EntityColumn<T>[];
  open: ((item: T) => EntityOpening) | undefined;
  selection: EntitySelection | undefined;
  actions: ((item: T) => ReactNode) | undefined;
  sort: ListSort | null;
  onSort: (sort: ListSort | null) => void;
  /** The table scrolls by itself within so many pixels, as in a dialog; left out, the page scrolls. */
  height?: number | undefined;
}

/** Up to so many rows all are drawn; of more only those in view. */
const drawnAtOnce = 100;
const initialItems = 15;
const rowHeight = 40;

/** Entities as rows of one height. The name sticks while the rest scrolls sideways. */
export function EntityTable<T extends Entity>(props: EntityTableProps<T>) {
  const { label, columns, open, selection, actions, sort, onSort, height } = props;
  const items = sorted(props.items, columns, sort);
  const [ref, parent] = useScrollParent();
  const context: RowContext<T> = { columns, open, selection, actions };
  const head = <EntityTableHead context={context} sort={sort} onSort={onSort} />;
  const scroller = {
    className: cx(styles.scroll, height !== undefined && styles.boxed),
    ...(height !== undefined && { style: { maxHeight: height } }),
  };

  if (items.length <= drawnAtOnce) {
    return (
      <div {...scroller}>
        <table className={styles.table} aria-label={label}>
          <thead>{head}</thead>
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys only carry the focus from one name to the next */}
          <tbody onKeyDown={moveByArrows}>
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
  return (
    <div ref={ref} {...scroller}>
      <TableVirtuoso<T, TableContext>
        key={parent === null ? 'first' : 'placed'}
        {...(height === undefined
          ? parent === null
            ? { useWindowScroll: true }
            : { customScrollParent: parent }
          : { style: { height } })}
        data={items}
        context={{ label }}
        initialItemCount={initialItems}
        fixedItemHeight={rowHeight}
        increaseViewportBy={600}
        computeItemKey={(_, item) => item.id}
        fixedHeaderContent={() => head}
        itemContent={(_, item) => <EntityRow item={item} context={context} />}
        components={components as TableComponents<T, TableContext>}
      />
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

interface TableContext {
  label: string;
}

const components: TableComponents<unknown, TableContext> = {
  Table: ({ context, children, style }) => (
    <table className={styles.table} style={style} aria-label={context.label}>
      {children}
    </table>
  ),
  TableBody: ({ context: _, children, ref, ...rest }) => (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys only carry the focus from one name to the next
    <tbody {...rest} ref={ref} onKeyDown={moveByArrows}>
      {children}
    </tbody>
  ),
  TableRow: ({ context: _, item: __, ...rest }) => <tr {...rest} className={styles.row} />,
};
