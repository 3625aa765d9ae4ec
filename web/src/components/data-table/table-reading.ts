import type { Cell } from './cell';
import type { TableColumn } from './table-of-rows';
import type { Sort } from './sort';
import type { ShownFilters } from './use-filters';

/** A table as it is shown, independent of where its rows are stored. */
export interface ShownTable {
  columns: readonly TableColumn[];
  /** The rows that match the filters. */
  rowCount: number;
  /** The rows with those that the filters hide. */
  allRows: number;
  /** A last, incomplete row was dropped. */
  cut: boolean;
  /** The first rows, which determine the widths. */
  sample: readonly (readonly Cell[])[];
  sort: Sort | null;
  onSort: (column: number) => void;
  filters: ShownFilters;
  /** A row by its index among those that match, in sort order; undefined while it is loading. */
  row: (place: number) => readonly Cell[] | undefined;
  /** Announces which rows are about to be shown. */
  want: (start: number, end: number) => void;
}

/** The state of reading a table. */
export type TableReading =
  { status: 'reading' } | { status: 'failed' } | { status: 'ready'; table: ShownTable };
