/** Sizes in px, the spec's where it gives one (document 2, section 9, "Preview table"). */
export const rowHeight = 30;
export const headerHeight = 34;
export const wideColumnWidth = 200;
export const rowsBeforeScroll = 20;
export const columnsBeforeWindow = 20;

/** A run of items, end not included. */
export interface Range {
  start: number;
  end: number;
}

/** Which items of one size lie in the viewport, with some to spare on both sides so that scrolling shows no gaps. */
export function visibleRange(options: {
  count: number;
  itemSize: number;
  offset: number;
  viewport: number;
  spare: number;
}): Range {
  const { count, itemSize, offset, viewport, spare } = options;
  const first = Math.floor(Math.max(0, offset) / itemSize) - spare;
  const last = Math.ceil((Math.max(0, offset) + viewport) / itemSize) + spare;
  const start = Math.min(Math.max(0, first), Math.max(0, count - 1));
  return { start, end: Math.max(start, Math.min(count, last)) };
}

/**
 * A width for a column from its name and the longest text among its first rows. The name stands in a
 * bolder face and beside the mark of its sorting.
 */
export function columnWidth(name: string, texts: readonly string[]): number {
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 0);
  const wanted = Math.max(name.length * 8, longest * 7.2) + 40;
  return Math.round(Math.min(320, Math.max(80, wanted)));
}
