import type { Cell } from './cell';
import type { TableColumn } from './table-of-rows';
import type { Sort } from './sort';

/** A table as it is shown, wherever its rows are. */
export interface ShownTable {
  columns: readonly TableColumn[];
  rowCount: number;
  /** A last, incomplete row was dropped. */
  cut: boolean;
  /** The first rows, by which widths are chosen. */
  sample: readonly (readonly Cell[])[];
  sort: Sort | null;
  onSort: (column: number) => void;
  /** A row by its place in the order of the sort; undefined while it is on its way. */
  row: (place: number) => readonly Cell[] | undefined;
  /** Says which rows are about to be shown. */
  want: (start: number, end: number) => void;
}

/** How far the reading of a table is. */
export type TableReading =
  { status: 'reading' } | { status: 'failed' } | { status: 'ready'; table: ShownTable };
