import { lazy, Suspense, useRef, useState, type ComponentType } from 'react';
import { onDemand } from '@/lib/on-demand';
import { columnsBeforeWindow, rowsBeforeScroll } from './geometry';
import { type GridProps, GridView } from './grid-view';
import { TableSkeleton } from './table-skeleton';

const windowed = onDemand(async () => (await import('./windowed-grid')).WindowedGrid);

const LazyGrid = lazy(async () => ({ default: await windowed.load() }));

/**
 * The grid of a table. One that is shown whole does without the windows of larger ones, which come with the first of
 * these: 10 kB that a chart with its few rows beside it does not fetch.
 */
export function TableGrid(props: GridProps) {
  const { rowCount, columns } = props.table;
  return rowCount > rowsBeforeScroll || columns.length > columnsBeforeWindow ? (
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
    // Focus brings a cell into view.
    scrollTo: () => undefined,
  };
  return <GridView {...props} box={box} windows={windows} />;
}

function LaterGrid(props: GridProps) {
  // The same for as long as this table is shown.
  const [Grid] = useState<ComponentType<GridProps>>(() => windowed.now() ?? LazyGrid);
  return (
    <Suspense fallback={<TableSkeleton rows={props.table.rowCount} maxHeight={props.maxHeight} />}>
      <Grid {...props} />
    </Suspense>
  );
}
