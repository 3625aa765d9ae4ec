import {
  defaultRangeExtractor,
  elementScroll,
  type Rect,
  useVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { columnsBeforeWindow, rowHeight, rowsBeforeScroll, wideColumnWidth } from './geometry';
import type { Range, Windows } from './windows';

interface WindowsInput {
  box: RefObject<HTMLDivElement | null>;
  rowCount: number;
  columnCount: number;
  maxHeight: number;
}

/**
 * Reports the size of the box to the library; until the box is laid out, an assumed size. It observes the box as
 * the library does, except for boxes without a size.
 */
function observeSize(assumed: Rect) {
  return (instance: Virtualizer<HTMLDivElement, Element>, tell: (rect: Rect) => void) => {
    const element = instance.scrollElement;
    if (element === null) return undefined;
    const read = () => {
      tell({ width: element.clientWidth || assumed.width, height: element.clientHeight || assumed.height });
    };
    // The observer reports the first layout too. Reading the size before that would force a layout in the middle of
    // a list's work.
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  };
}

/**
 * Scrolls as the library does, except from the beginning to the beginning, which the library does for each new
 * table: that has no effect, but forces a layout in the middle of the work that shows the table.
 */
const scrollTo: typeof elementScroll<HTMLDivElement> = (offset, options, instance) => {
  if (offset !== 0 || (instance.scrollOffset ?? 0) !== 0) elementScroll(offset, options, instance);
};

function rangeOf(items: readonly { index: number }[]): Range {
  const first = items[0];
  const last = items.at(-1);
  return first === undefined || last === undefined
    ? { start: 0, end: 0 }
    : { start: first.index, end: last.index + 1 };
}

/** The windows of rows above twenty rows, and of columns above twenty columns. */
export function useWindows({ box, rowCount, columnCount, maxHeight }: WindowsInput): Windows {
  const assumed = { width: 1200, height: maxHeight };
  const scrolls = rowCount > rowsBeforeScroll;
  const wide = columnCount > columnsBeforeWindow;
  // eslint-disable-next-line react-hooks/incompatible-library -- what it returns is read in this render only
  const rows = useVirtualizer<HTMLDivElement, Element>({
    count: rowCount,
    enabled: scrolls,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect: assumed,
    observeElementRect: observeSize(assumed),
    scrollToFn: scrollTo,
  });
  const columns = useVirtualizer<HTMLDivElement, Element>({
    count: columnCount,
    enabled: wide,
    horizontal: true,
    getScrollElement: () => box.current,
    estimateSize: () => wideColumnWidth,
    overscan: 2,
    initialRect: assumed,
    observeElementRect: observeSize(assumed),
    scrollToFn: scrollTo,
    rangeExtractor: (range) => defaultRangeExtractor(range).filter((index) => index > 0),
  });
  return {
    rows: scrolls ? rangeOf(rows.getVirtualItems()) : { start: 0, end: rowCount },
    columns: wide ? rangeOf(columns.getVirtualItems()) : { start: 1, end: columnCount },
    scrollTo: (row, column) => {
      if (scrolls && row >= 0) rows.scrollToIndex(row, { align: 'auto' });
      if (wide && column > 0) columns.scrollToIndex(column, { align: 'auto' });
    },
  };
}
