import { locale as ownLocale } from '@/lib/locale';
import { isTime, periodFormat, timeOf } from '@/lib/period';
import { quantityFormat } from '@/lib/quantity';
import { table as t } from '@/messages/table';
import type { Cell } from './cell';
import type { TableColumn } from './table-of-rows';

/** Turns the cells of one column into what is shown. */
export type CellFormatter = (cell: Cell) => string;

/** A formatter for a column. Building one is slow compared with using it, so keep it. */
export function cellFormatter(column: TableColumn, locale: string = ownLocale): CellFormatter {
  const { format, unit, kind } = column;
  if (kind === 'time') {
    const write = periodFormat(isTime(format) ? format : 'date', locale);
    return (cell) => {
      const time = cell === null || typeof cell === 'boolean' ? null : timeOf(cell);
      return time === null ? plainText(cell) : write(time);
    };
  }
  if (kind === 'text' || kind === 'amount') return plainText;
  // Amounts are shown with all cents or none, however many digits an average has.
  const decimals = format === 'money' && column.fractionDigits > 0 ? 2 : column.fractionDigits;
  const { full } = quantityFormat({ format, unit }, { decimals }, locale);
  return (cell) => (typeof cell === 'number' ? full(cell) : plainText(cell));
}

function plainText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return t(cell ? 'yes' : 'no');
  return String(cell);
}
