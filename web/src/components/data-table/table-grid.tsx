import { useRef } from 'react';
import { shownLater } from '@/lib/shown-later';
import { columnsBeforeWindow, rowsBeforeScroll } from './geometry';
import { type GridProps, GridView } from './grid-view';
import { TableSkeleton } from './table-skeleton';

const LaterGrid = shownLater<GridProps>(
  async () => (await import('./windowed-grid')).WindowedGrid,
  ({ table, maxHeight }) => <TableSkeleton rows={table.allRows} maxHeight={maxHeight} />,
);

/**
 * The grid of a table. One that is shown completely needs no windowing; the code for it is loaded with the first
 * larger table: 10 kB that a chart with its few rows next to it does not load.
 */
export function TableGrid(props: GridProps) {
  // A filter must not change the kind of grid: the input that is typed in would be a different one.
  const { allRows, columns } = props.table;
  return allRows > rowsBeforeScroll || columns.length > columnsBeforeWindow ? (
    <LaterGrid {...props} />
  ) : (
    <WholeGrid {...props} />
  );
}

function WholeGrid(props: GridProps) {
  const box = useRef<HTMLDivElement>(null);
  const { rowCount, columns } = props.table;
  const windows = {
    rows: { start: 0, end: rowCount },
    columns: { start: 1, end: columns.length },
    // Focusing a cell scrolls it into view.
    scrollTo: () => undefined,
  };
  return <GridView {...props} box={box} windows={windows} />;
}
