/** What a cell may hold. Null and the empty string both show as blank. */
export type Cell = string | number | boolean | null;
