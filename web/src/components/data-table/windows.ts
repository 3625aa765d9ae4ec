/** A run of items, end not included. */
export interface Range {
  start: number;
  end: number;
}

/** Which rows and columns are in the document, and how to scroll to others. */
export interface Windows {
  rows: Range;
  /** The columns in addition to the first one, which is always there. */
  columns: Range;
  scrollTo: (row: number, column: number) => void;
}
