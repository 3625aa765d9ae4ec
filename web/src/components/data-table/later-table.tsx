import { lazy, Suspense, useState, type ComponentProps, type ComponentType } from 'react';
import { onDemand } from '@/lib/on-demand';
import type { DataTable } from './data-table';
import { rowsBeforeScroll } from './geometry';
import type { RowsTable } from './rows-table';
import { TableSkeleton } from './table-skeleton';

const ofText = onDemand(async () => (await import('./data-table')).DataTable);
const ofRows = onDemand(async () => (await import('./rows-table')).RowsTable);

const LazyTable = lazy(async () => ({ default: await ofText.load() }));
const LazyRows = lazy(async () => ({ default: await ofRows.load() }));

/** A table of CSV text whose parts come with the first one that is shown. */
export function LaterTable(props: ComponentProps<typeof DataTable> & { data: string }) {
  // The same for as long as this table is shown.
  const [Table] = useState<ComponentType<typeof props>>(() => ofText.now() ?? LazyTable);
  const rows = props.data.trimEnd().split('\n', rowsBeforeScroll + 2).length - 1;
  return (
    <Suspense fallback={<TableSkeleton rows={rows} maxHeight={props.maxHeight} />}>
      <Table {...props} />
    </Suspense>
  );
}

/** A table of rows that are here, which comes without what reads text. */
export function LaterRows(props: ComponentProps<typeof RowsTable>) {
  const [Table] = useState<ComponentType<typeof props>>(() => ofRows.now() ?? LazyRows);
  return (
    <Suspense fallback={<TableSkeleton rows={props.data.rows.length} maxHeight={props.maxHeight} />}>
      <Table {...props} />
    </Suspense>
  );
}
