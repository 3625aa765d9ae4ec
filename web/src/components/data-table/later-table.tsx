import { Skeleton } from '@radix-ui/themes';
import { lazy, Suspense, useState, type ComponentProps, type ComponentType } from 'react';
import { onDemand } from '@/lib/on-demand';
import { table as t } from '@/messages/table';
import type { DataTable } from './data-table';
import { headerHeight, rowHeight, rowsBeforeScroll } from './geometry';

type TableProps = ComponentProps<typeof DataTable>;

const table = onDemand(async () => (await import('./data-table')).DataTable);

const LazyTable = lazy(async () => ({ default: await table.load() }));

/** A table whose parts, reading and windows, come with the first one that is shown: 18 kB. */
export function LaterTable(props: TableProps) {
  // The same for as long as this table is shown.
  const [Table] = useState<ComponentType<TableProps>>(() => table.now() ?? LazyTable);
  return (
    <Suspense fallback={<Skeleton width="100%" height={`${heightOf(props)}px`} aria-label={t('reading')} />}>
      <Table {...props} />
    </Suspense>
  );
}

/** About as tall as the table will be, in px, so that the page holds still when it comes. */
function heightOf({ data, maxHeight = 400 }: TableProps): number {
  const rows =
    typeof data === 'string' ? data.trimEnd().split('\n', rowsBeforeScroll + 2).length - 1 : data.rows.length;
  return rows > rowsBeforeScroll ? maxHeight : headerHeight + Math.max(1, rows) * rowHeight;
}
