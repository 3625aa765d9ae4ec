import Papa from 'papaparse';

import type { Cell } from './cell';
import { type ColumnKind, detectKind, fractionDigits, groupsDigits, toNumber } from './column-kind';

/** Rows by position, so that no column name is ever used as an object key. */
export interface TableData {
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
}

/** A column after its cells have been looked at. */
export interface TableColumn {
  name: string;
  kind: ColumnKind;
  /** Decimals that every number of the column is shown with. */
  fractionDigits: number;
  /** Thousands separators help amounts and spoil years and identifiers. */
  grouping: boolean;
}

/** A table ready to be shown: in number columns the cells are numbers, every row has all columns. */
export interface ParsedTable {
  columns: TableColumn[];
  rows: Cell[][];
  /** True when a last, incomplete row was dropped. */
  cut: boolean;
}

/** Reads CSV text or rows. With `truncated`, text that was cut anywhere loses its broken end. */
export function parseTable(
  data: string | TableData,
  options: { truncated?: boolean | undefined } = {},
): ParsedTable {
  const { names, raw, cut } =
    typeof data === 'string' ? readCsv(data, options.truncated ?? false) : readRows(data);
  const width = raw.reduce((widest, row) => Math.max(widest, row.length), names.length);
  const columns = Array.from({ length: width }, (_, index) => describe(index, names[index], raw));
  const rows = raw.map((row) => columns.map((column, index) => value(row[index], column.kind)));
  return { columns, rows, cut };
}

interface RawTable {
  names: readonly string[];
  raw: readonly (readonly Cell[])[];
  cut: boolean;
}

function readRows(data: TableData): RawTable {
  return { names: data.columns, raw: data.rows, cut: false };
}

function readCsv(text: string, truncated: boolean): RawTable {
  const parsed = Papa.parse<string[]>(text.replace(/^\ufeff/u, ''), { skipEmptyLines: 'greedy' });
  const lines = parsed.data;
  const cut = truncated && !/[\r\n]$/u.test(text) && lines.length > 0;
  // What the cut went through is dropped whole, a character cut in half with it.
  if (cut) {
    if (lines.length > 1) lines.pop();
    else lines[0]?.pop();
  }
  return { names: lines[0] ?? [], raw: lines.slice(1), cut };
}

function describe(index: number, name: string | undefined, rows: readonly (readonly Cell[])[]): TableColumn {
  const cells = rows.map((row) => row[index]);
  const label = name === undefined || name.trim() === '' ? `Column ${index + 1}` : name;
  const kind = detectKind(cells);
  return {
    name: label,
    kind,
    fractionDigits: kind === 'number' ? fractionDigits(cells) : 0,
    grouping: groupsDigits(label),
  };
}

function value(cell: Cell | undefined, kind: ColumnKind): Cell {
  if (cell === undefined || cell === null || cell === '') return null;
  return kind === 'number' ? toNumber(cell) : cell;
}
