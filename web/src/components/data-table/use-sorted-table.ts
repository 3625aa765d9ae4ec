import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  type SortFn,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';

import type { Cell } from './cell';
import type { ParsedTable } from './parse-table';

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

type Features = typeof features;

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

// Blanks never get here: the accessor makes them undefined and sortUndefined puts them last in both directions.
const compareCells: SortFn<Features, Cell[]> = (a, b, columnId) => {
  const left = a.getValue<Cell>(columnId);
  const right = b.getValue<Cell>(columnId);
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return collator.compare(String(left), String(right));
};

/** The table model: columns by position, one sort at a time, blanks last. */
export function useSortedTable(table: ParsedTable) {
  const columns = useMemo(
    () =>
      table.columns.map((column, index): ColumnDef<Features, Cell[]> => ({
        id: String(index),
        header: column.name,
        accessorFn: (row) => row[index] ?? undefined,
        sortFn: compareCells,
        sortUndefined: 'last',
        sortDescFirst: column.kind === 'number',
      })),
    [table.columns],
  );
  return useTable({ features, columns, data: table.rows, enableMultiSort: false });
}
