import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Range } from './windows';

/** A cell by its row (-1 for the headings) and its column. */
export interface CellPlace {
  row: number;
  column: number;
}

const pageOfRows = 10;

interface CellKeysInput {
  box: RefObject<HTMLDivElement | null>;
  rowCount: number;
  columnCount: number;
  rows: Range;
  columns: Range;
  scrollTo: (row: number, column: number) => void;
}

/**
 * One cell of the grid has the focus and the tab stop; the arrow keys move it, also to cells that are not in the
 * document yet.
 */
export function useCellKeys({ box, rowCount, columnCount, rows, columns, scrollTo }: CellKeysInput) {
  const [active, setActive] = useState<CellPlace | null>(null);
  const moving = useRef(false);

  const isThere = ({ row, column }: CellPlace): boolean =>
    (row === -1 || (row >= rows.start && row < rows.end)) &&
    (column === 0 || (column >= columns.start && column < columns.end));
  const stop: CellPlace = active !== null && isThere(active) ? active : { row: -1, column: 0 };

  useLayoutEffect(() => {
    if (!moving.current || active === null) return;
    const cell = box.current?.querySelector<HTMLElement>(
      `[data-place="${String(active.row)}:${String(active.column)}"]`,
    );
    if (cell === null || cell === undefined) return;
    moving.current = false;
    cell.focus({ preventScroll: rowCount > 0 && active.row >= 0 && !isThere(active) });
  });

  const moveTo = (row: number, column: number) => {
    const place = {
      row: Math.max(-1, Math.min(rowCount - 1, row)),
      column: Math.max(0, Math.min(columnCount - 1, column)),
    };
    moving.current = true;
    setActive(place);
    scrollTo(place.row, place.column);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) return;
    const { row, column } = stop;
    const ends = event.ctrlKey || event.metaKey;
    const target: Readonly<Partial<Record<string, readonly [number, number]>>> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      PageUp: [Math.max(0, row - pageOfRows), column],
      PageDown: [row + pageOfRows, column],
      Home: [ends ? 0 : row, 0],
      End: [ends ? rowCount - 1 : row, columnCount - 1],
    };
    const to = target[event.key];
    if (to === undefined || (ends && event.key.startsWith('Arrow'))) return;
    event.preventDefault();
    moveTo(...to);
  };

  return { active, stop, moveTo, onKeyDown, onFocusCell: setActive };
}
