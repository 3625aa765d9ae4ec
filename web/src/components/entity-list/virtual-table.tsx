import type { ReactNode } from 'react';
import { TableVirtuoso, type TableComponents } from 'react-virtuoso';
import sideways from '@/components/surface/sideways.module.css';
import { cx } from '@/lib/cx';
import { useScroller } from '@/lib/use-scroller';
import type { Entity } from './entity';
import { EntityRow, type RowContext } from './entity-row';
import styles from './entity-table.module.css';
import { pressRow } from './press-row';
import { moveByArrows } from './use-arrow-keys';

interface VirtualTableProps<T extends Entity> {
  label: string;
  items: readonly T[];
  context: RowContext<T>;
  head: ReactNode;
  height: number | undefined;
}

const initialItems = 15;
const rowHeight = 40;

/** A table that renders only the rows in view. */
export function VirtualTable<T extends Entity>({
  label,
  items,
  context,
  head,
  height,
}: VirtualTableProps<T>) {
  const { ref, key, scroller } = useScroller(height);
  return (
    <div
      ref={ref}
      className={cx(styles.scroll, sideways.table)}
      {...(height !== undefined && { style: { maxHeight: height } })}
    >
      <TableVirtuoso<T, TableContext>
        key={key}
        {...scroller}
        data={items}
        context={{ label }}
        initialItemCount={Math.min(initialItems, items.length)}
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
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a press is passed to the row's own control, the arrow keys from one to the next
    <tbody {...rest} ref={ref} onClick={pressRow} onKeyDown={moveByArrows}>
      {children}
    </tbody>
  ),
  TableRow: ({ context: _, item: __, ...rest }) => <tr {...rest} className={styles.row} />,
};
