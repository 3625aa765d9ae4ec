import type { Cell } from './cell';

/** How a column is aligned, sorted and formatted. */
export type ColumnKind = 'number' | 'text';

// No leading zeros (postal codes, article numbers) and no more digits than a double holds exactly.
const numberPattern = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/u;

const maxFractionDigits = 4;

/** A column is numeric when it has values and every one of them reads as a number. */
export function detectKind(cells: readonly (Cell | undefined)[]): ColumnKind {
  let seen = false;
  for (const cell of cells) {
    if (cell === undefined || cell === null || cell === '') continue;
    if (toNumber(cell) === null) return 'text';
    seen = true;
  }
  return seen ? 'number' : 'text';
}

/** The number that a cell stands for, or null when it stands for none. */
export function toNumber(cell: Cell): number | null {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null;
  if (typeof cell !== 'string') return null;
  const text = cell.trim();
  if (!numberPattern.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** The most decimals that any number of the column has, at most four, so that decimal points line up. */
export function fractionDigits(cells: readonly (Cell | undefined)[]): number {
  let most = 0;
  for (const cell of cells) {
    const text = String(cell ?? '').trim();
    const point = text.indexOf('.');
    if (point === -1 || /e/iu.test(text)) continue;
    most = Math.max(most, text.length - point - 1);
    if (most >= maxFractionDigits) return maxFractionDigits;
  }
  return most;
}

/** False for columns whose numbers are names rather than amounts: years, identifiers, codes. */
export function groupsDigits(name: string): boolean {
  const words = name.replace(/([a-z])([A-Z])/gu, '$1 $2').toLowerCase();
  return !/(?:^|[^a-z])(?:id|ids|uuid|key|code|zip|postcode|year|yr|phone|sku)$/u.test(words.trim());
}
