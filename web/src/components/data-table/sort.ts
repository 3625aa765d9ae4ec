import { locale } from '@/lib/locale';
import { amountsOf } from './amount';
import type { Cell } from './cell';
import type { ColumnKind } from './column-kind';

/** How a table is sorted: by one column at a time. */
export interface Sort {
  column: number;
  descending: boolean;
}

const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });

function compare(a: Cell, b: Cell): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a), String(b));
}

function isBlank(cell: Cell | undefined): cell is null | undefined | '' {
  return cell === null || cell === undefined || cell === '';
}

/** The row indexes in sort order, blanks last in both directions; equal rows keep their order. */
export function sortedPlaces(rows: readonly (readonly Cell[])[], sort: Sort | null): number[] {
  const places = rows.map((_, place) => place);
  if (sort === null) return places;
  const { column, descending } = sort;
  const cells = rows.map((row) => row[column]);
  // Amounts that are texts are sorted by their numbers.
  const values = amountsOf(cells) ?? cells;
  return places.sort((left, right) => {
    const a = values[left];
    const b = values[right];
    if (isBlank(a) || isBlank(b)) return Number(isBlank(a)) - Number(isBlank(b)) || left - right;
    return (descending ? compare(b, a) : compare(a, b)) || left - right;
  });
}

/** Whether the largest values of a column are the most interesting. */
export function isNumeric(column: { kind: ColumnKind } | undefined): boolean {
  return column?.kind === 'number' || column?.kind === 'amount';
}

/** What pressing a heading does: first the more useful direction, then the other one, then none. */
export function nextSort(sort: Sort | null, column: number, downFirst: boolean): Sort | null {
  if (sort?.column !== column) return { column, descending: downFirst };
  return sort.descending === downFirst ? { column, descending: !downFirst } : null;
}
