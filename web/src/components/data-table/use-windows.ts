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
 * The size of the box, as the library wants it; until it is laid out, an assumed one. The box is observed as the
 * library would, but for boxes that have no size yet.
 */
function observeSize(assumed: Rect) {
  return (instance: Virtualizer<HTMLDivElement, Element>, tell: (rect: Rect) => void) => {
    const element = instance.scrollElement;
    if (element === null) return undefined;
    const read = () => {
      tell({ width: element.clientWidth || assumed.width, height: element.clientHeight || assumed.height });
    };
    // It tells of the first layout too. To ask before it would have the page laid out in the middle of a list's work.
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  };
}

/**
 * Scrolls as the library would, but not from the beginning to the beginning, as it does with each table that appears:
 * for nothing, and the page is laid out for it in the middle of whatever brought the table.
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
