import { useRef } from 'react';
import { type GridProps, GridView } from './grid-view';
import { useWindows } from './use-windows';

/** A grid of many rows or columns: only what is in view is in the document. */
export function WindowedGrid(props: GridProps) {
  const box = useRef<HTMLDivElement>(null);
  const { table, maxHeight } = props;
  const windows = useWindows({ box, rowCount: table.rowCount, columnCount: table.columns.length, maxHeight });
  return <GridView {...props} box={box} windows={windows} />;
}
