import { useMemo } from 'react';
import { TableFrame, type TableOptions } from './table-frame';
import { type TableData, tableOfRows } from './table-of-rows';
import { useFilters } from './use-filters';
import { useRows } from './use-rows';

interface RowsTableProps extends TableOptions {
  data: TableData;
}

/** A table whose rows are available already: without the CSV parser, which is 6 kB. */
export function RowsTable({ data, ...options }: RowsTableProps) {
  const parsed = useMemo(() => tableOfRows(data), [data]);
  const table = useRows(parsed, data, useFilters(), options.locale);
  return <TableFrame {...options} table={table} />;
}
