/** A run of items, end not included. */
export interface Range {
  start: number;
  end: number;
}

/** Which rows and columns are in the document, and how to bring others there. */
export interface Windows {
  rows: Range;
  /** The columns beside the first one, which always is there. */
  columns: Range;
  scrollTo: (row: number, column: number) => void;
}
