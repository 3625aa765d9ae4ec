import type { Cell } from './cell';
import type { TableColumn } from './table-of-rows';
import type { Sort } from './sort';

/** A table as it is shown, independent of where its rows are stored. */
export interface ShownTable {
  columns: readonly TableColumn[];
  rowCount: number;
  /** A last, incomplete row was dropped. */
  cut: boolean;
  /** The first rows, which determine the widths. */
  sample: readonly (readonly Cell[])[];
  sort: Sort | null;
  onSort: (column: number) => void;
  /** A row by its index in sort order; undefined while it is loading. */
  row: (place: number) => readonly Cell[] | undefined;
  /** Announces which rows are about to be shown. */
  want: (start: number, end: number) => void;
}

/** The state of reading a table. */
export type TableReading =
  { status: 'reading' } | { status: 'failed' } | { status: 'ready'; table: ShownTable };
