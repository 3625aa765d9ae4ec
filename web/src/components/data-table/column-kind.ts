import { isTime, timeOf } from '@/lib/period';
import type { ShownColumn } from '@/lib/wire';
import type { Cell } from './cell';

/**
 * How a column is aligned, sorted and formatted. Amounts are numbers that stay as they are written, with a sign or
 * thousands separators.
 */
export type ColumnKind = 'number' | 'amount' | 'time' | 'text';

// No leading zeros (postal codes, article numbers) and no more digits than a double can represent exactly.
const numberPattern = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/u;
const datePattern = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/u;

const maxFractionDigits = 4;

function isBlank(cell: Cell | undefined): cell is undefined | null | '' {
  return cell === undefined || cell === null || cell === '';
}

/** Whether there are values and each passes. */
export function all(cells: readonly (Cell | undefined)[], passes: (cell: Cell) => boolean): boolean {
  let seen = false;
  for (const cell of cells) {
    if (isBlank(cell)) continue;
    if (!passes(cell)) return false;
    seen = true;
  }
  return seen;
}

/**
 * The kind of a column: numbers if every value can be parsed as one, times if the server says so and each can be
 * parsed.
 */
export function detectKind(
  cells: readonly (Cell | undefined)[],
  shown: ShownColumn | null = null,
): ColumnKind {
  if (shown !== null && isTime(shown.format) && all(cells, (cell) => timeOf(cellText(cell)) !== null))
    return 'time';
  if (all(cells, (cell) => toNumber(cell) !== null)) return 'number';
  return shown === null && all(cells, (cell) => typeof cell === 'string' && datePattern.test(cell.trim()))
    ? 'time'
    : 'text';
}

function cellText(cell: Cell): string | number {
  return typeof cell === 'number' ? cell : String(cell);
}

/** The number in a cell, or null if it is not a number. */
export function toNumber(cell: Cell): number | null {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  if (typeof cell !== 'string') return null;
  const text = cell.trim();
  if (!numberPattern.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** The maximum number of decimals in the column, but at most four, so that decimal points line up. */
export function fractionDigits(cells: readonly (Cell | undefined)[], scale = 1): number {
  let most = 0;
  for (const cell of cells) {
    const number = isBlank(cell) ? null : toNumber(cell);
    const text =
      scale === 1 || number === null
        ? String(cell ?? '').trim()
        : String(Number((number * scale).toPrecision(12)));
    const point = text.indexOf('.');
    if (point === -1 || /e/iu.test(text)) continue;
    most = Math.max(most, text.length - point - 1);
    if (most >= maxFractionDigits) return maxFractionDigits;
  }
  return most;
}

/** False for columns whose numbers are names rather than amounts: years, identifiers, codes, in English and German. */
export function groupsDigits(name: string): boolean {
  const words = name.replace(/([a-z])([A-Z])/gu, '$1 $2').toLowerCase();
  return !/(?:^|[^a-z])(?:id|ids|uuid|key|code|zip|postcode|year|yr|phone|sku|nr\.?|plz)$|(?:jahr|nummer)$/u.test(
    words.trim(),
  );
}
