import type { Cell } from './cell';
import type { TableColumn } from './parse-table';

/** Turns the cells of one column into what is shown. */
export type CellFormatter = (cell: Cell) => string;

/** A formatter for a column. Building one is slow compared with using it, so keep it. */
export function cellFormatter(column: TableColumn, locale: string | undefined): CellFormatter {
  const fixed = new Intl.NumberFormat(locale, {
    minimumFractionDigits: column.fractionDigits,
    maximumFractionDigits: column.fractionDigits,
    useGrouping: column.grouping,
  });
  // Values that the fixed decimals would flatten to zero keep their first digits.
  const small = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
  return (cell) => {
    if (cell === null) return '';
    if (typeof cell !== 'number') return String(cell);
    const flattened = cell !== 0 && Math.abs(cell) < 10 ** -column.fractionDigits / 2;
    if (flattened) return small.format(cell);
    return Math.abs(cell) >= 1e15 ? cell.toExponential(3) : fixed.format(cell);
  };
}
