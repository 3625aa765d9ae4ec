/** Sizes in px, as specified where the specification has one (document 2, section 9, "Preview table"). */
export const rowHeight = 30;
export const headerHeight = 34;
export const wideColumnWidth = 200;
export const rowsBeforeScroll = 20;
export const columnsBeforeWindow = 20;

/**
 * A width for a column from its heading and the longest text among its first rows. The heading is bold and next to
 * its sort icon.
 */
export function columnWidth(heading: string, texts: readonly string[], widest = 320): number {
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 0);
  const wanted = Math.max(heading.length * 7.8 + 44, longest * 7.4 + 32);
  return Math.round(Math.min(widest, Math.max(80, wanted)));
}

/** The number of characters that certainly fit in a column of this width. */
export function charactersIn(width: number): number {
  return Math.floor((width - 24) / 7.4);
}

/** The maximum length of a text in a tooltip, in characters: a megabyte would block the browser. */
export const titleLimit = 500;
