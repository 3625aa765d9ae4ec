import { timeOf } from '@/lib/period';
import { amountsOf } from './amount';
import type { Cell } from './cell';
import type { Condition, NumberCondition } from './filter';
import { fold } from './fold';

/** A condition with the index of its column. */
export interface ColumnCondition {
  column: number;
  condition: Condition;
}

type Rows = readonly (readonly Cell[])[];

/** Those of the places whose rows meet all conditions, in their order. */
export function matchingPlaces(
  rows: Rows,
  places: number[],
  conditions: readonly ColumnCondition[],
): number[] {
  if (conditions.length === 0) return places;
  const tests = conditions.map((condition) => testOf(rows, condition));
  return places.filter((place) => tests.every((passes) => passes(place)));
}

function testOf(rows: Rows, { column, condition }: ColumnCondition): (place: number) => boolean {
  const cell = (place: number): Cell => rows[place]?.[column] ?? null;
  switch (condition.kind) {
    case 'empty':
      return (place) => isBlank(cell(place)) === condition.isEmpty;
    case 'text':
      return (place) => contains(cell(place), condition);
    case 'time':
      return (place) => isWithin(cell(place), condition);
    case 'number': {
      // Amounts that are texts are compared by their numbers.
      const amounts = condition.decimals === null ? amountsOf(rows.map((row) => row[column])) : null;
      const limited = between(condition);
      return (place) => {
        const value = amounts === null ? cell(place) : (amounts[place] ?? null);
        return typeof value === 'number' && limited(value);
      };
    }
  }
}

function isBlank(cell: Cell): boolean {
  return cell === null || cell === '';
}

function contains(cell: Cell, { needle, yes, no }: Extract<Condition, { kind: 'text' }>): boolean {
  if (typeof cell === 'boolean') return cell ? yes : no;
  return cell !== null && fold(String(cell)).includes(needle);
}

function isWithin(cell: Cell, { from, before }: Extract<Condition, { kind: 'time' }>): boolean {
  const time = cell === null || typeof cell === 'boolean' ? null : timeOf(cell);
  return time !== null && (from === null || time >= from) && (before === null || time < before);
}

/**
 * Numbers are compared as they are shown, so that nobody sees a 5.00 that is not 5. The exact value is found too:
 * it is what a cell is copied as.
 */
function between({ least, most, open, decimals, scale }: NumberCondition): (value: number) => boolean {
  const passes = (value: number): boolean =>
    (least === null || value > least || (value === least && !open)) &&
    (most === null || value < most || (value === most && !open));
  return (value) => {
    const scaled = scale === 1 ? value : Number((value * scale).toPrecision(15));
    if (decimals === null) return passes(scaled);
    return passes(rounded(scaled, decimals)) || (least === most && scaled === least);
  };
}

function rounded(value: number, decimals: number): number {
  // What would be shown as zero without being zero is shown with its first digits.
  const isSmall = value !== 0 && Math.abs(value) < 10 ** -decimals / 2;
  return Number(isSmall ? value.toPrecision(3) : value.toFixed(decimals));
}
