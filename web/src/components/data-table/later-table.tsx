import type { ComponentProps } from 'react';
import { shownLater } from '@/lib/shown-later';
import type { DataTable } from './data-table';
import { rowsBeforeScroll } from './geometry';
import type { RowsTable } from './rows-table';
import { TableSkeleton } from './table-skeleton';

/** A table of CSV text whose code is loaded with the first one that is shown. */
export const LaterTable = shownLater<ComponentProps<typeof DataTable> & { data: string }>(
  async () => (await import('./data-table')).DataTable,
  ({ data, maxHeight }) => {
    const rows = data.trimEnd().split('\n', rowsBeforeScroll + 2).length - 1;
    return <TableSkeleton rows={rows} maxHeight={maxHeight} />;
  },
);

/** A table of rows that are available; it does not load the CSV parser. */
export const LaterRows = shownLater<ComponentProps<typeof RowsTable>>(
  async () => (await import('./rows-table')).RowsTable,
  ({ data, maxHeight }) => <TableSkeleton rows={data.rows.length} maxHeight={maxHeight} />,
);
