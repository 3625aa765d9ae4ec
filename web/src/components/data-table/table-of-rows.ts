import type { ShownColumn } from '@/lib/wire';
import { table as t } from '@/messages/table';
import { isAmount, percentageIn } from './amount';
import type { Cell } from './cell';
import { all, type ColumnKind, detectKind, fractionDigits, groupsDigits, toNumber } from './column-kind';
import { headingOf } from './heading';

/** Rows by position, so that no column name is ever used as an object key. */
export interface TableData {
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
  /** How people read the columns, in their order, if that is known. */
  shown?: readonly (ShownColumn | null)[] | undefined;
}

/** A column after its cells have been examined. */
export interface TableColumn {
  /** Its name in SQL or in the file. */
  name: string;
  /** Its name for people. */
  label: string;
  kind: ColumnKind;
  format: ShownColumn['format'];
  /** Empty if none is known. */
  unit: string;
  /** The number of decimals of every number in the column. */
  fractionDigits: number;
}

/** A table ready to be shown: in number columns the cells are numbers, every row has all columns. */
export interface ParsedTable {
  columns: TableColumn[];
  rows: Cell[][];
  /** True when a last, incomplete row was dropped. */
  cut: boolean;
}

/** What was read of a table, before its columns have been examined. */
export interface RawTable {
  names: readonly string[];
  raw: readonly (readonly Cell[])[];
  cut: boolean;
}

/** Examines the columns of rows by position. */
export function tableOfRows(data: TableData, said = data.shown ?? []): ParsedTable {
  return tableOf({ names: data.columns, raw: data.rows, cut: false }, said);
}

/** Examines the columns of a parsed table; `said` is how people read them, in their order. */
export function tableOf({ names, raw, cut }: RawTable, said: readonly (ShownColumn | null)[]): ParsedTable {
  const width = raw.reduce((widest, row) => Math.max(widest, row.length), names.length);
  const shares = new Set(
    Array.from({ length: width }, (_, index) => index).filter((index) => isPercentage(index, raw, said)),
  );
  const read =
    shares.size === 0
      ? raw
      : raw.map((row) => row.map((cell, index) => (shares.has(index) ? share(cell) : cell)));
  const columns = Array.from({ length: width }, (_, index) => {
    const column = describe(index, names[index], read, said[index] ?? null);
    return shares.has(index) ? { ...column, format: 'percent' as const } : column;
  });
  const rows = read.map((row) => columns.map((column, index) => value(row[index], column.kind)));
  return { columns, rows, cut };
}

/**
 * Whether the texts of a column are all percentages. They are numbers then, which are written as the person's
 * locale does. A column that is described is left as it is.
 */
function isPercentage(
  index: number,
  rows: readonly (readonly Cell[])[],
  said: readonly (ShownColumn | null)[],
): boolean {
  if ((said[index] ?? null) !== null) return false;
  return all(
    rows.map((row) => row[index]),
    (cell) => typeof cell === 'string' && percentageIn(cell) !== null,
  );
}

function share(cell: Cell): Cell {
  return typeof cell === 'string' ? (percentageIn(cell) ?? cell) : cell;
}

function describe(
  index: number,
  given: string | undefined,
  rows: readonly (readonly Cell[])[],
  shown: ShownColumn | null,
): TableColumn {
  const cells = rows.map((row) => row[index]);
  const name = given === undefined || given.trim() === '' ? t('column', { number: index + 1 }) : given;
  const kind = alignedKind(detectKind(cells, shown), name, cells, shown);
  const format = shown?.format ?? guessedFormat(kind, name, cells);
  const isShare = format === 'fraction';
  return {
    name,
    label: shown?.label ?? headingOf(name),
    kind,
    format,
    unit: shown?.unit ?? '',
    fractionDigits:
      kind === 'number' ? Math.min(fractionDigits(cells, isShare ? 100 : 1), isShare ? 2 : 4) : 0,
  };
}

/** Columns in which all texts are amounts are aligned like numbers, and so is a measure without values. */
function alignedKind(
  kind: ColumnKind,
  name: string,
  cells: readonly (Cell | undefined)[],
  shown: ShownColumn | null,
): ColumnKind {
  if (kind !== 'text') return kind;
  if (!all(cells, () => true)) return shown?.role === 'measure' ? 'amount' : 'text';
  const areAmounts = all(cells, (cell) => typeof cell === 'string' && isAmount(cell));
  return areAmounts && groupsDigits(name) ? 'amount' : 'text';
}

function guessedFormat(
  kind: ColumnKind,
  name: string,
  cells: readonly (Cell | undefined)[],
): ShownColumn['format'] {
  switch (kind) {
    case 'number':
      return groupsDigits(name) ? 'number' : 'plain';
    case 'time':
      return cells.every(
        (cell) => typeof cell !== 'string' || /^[\d-]*(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/u.test(cell.trim()),
      )
        ? 'date'
        : 'timestamp';
    case 'amount':
    case 'text':
      return 'text';
  }
}

function value(cell: Cell | undefined, kind: ColumnKind): Cell {
  if (cell === undefined || cell === null || cell === '') return null;
  return kind === 'number' ? toNumber(cell) : cell;
}
