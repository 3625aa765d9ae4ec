import { locale as ownLocale } from '@/lib/locale';
import { fold } from './fold';
import { numberIn } from './typed-number';
import { periodIn } from './typed-period';
import type { TableColumn } from './table-of-rows';

/** What the cells of a column must be. It is plain data, because a worker receives it. */
export type Condition =
  | { kind: 'empty'; isEmpty: boolean }
  /** `needle` is folded. A cell that is yes or no is compared here, by the words of the person's language. */
  | { kind: 'text'; needle: string; yes: boolean; no: boolean }
  | NumberCondition
  /** A time at or after `from` and before `before`. */
  | { kind: 'time'; from: number | null; before: number | null };

/** A number between limits; a limit itself counts unless it is said to be `open`. */
export interface NumberCondition {
  kind: 'number';
  least: number | null;
  most: number | null;
  open: boolean;
  /** Cells are rounded as they are shown: to this number of decimals after they are scaled. Null if they are not. */
  decimals: number | null;
  scale: number;
}

/** Why a text filters nothing: it is no number, or no date. */
export type FilterProblem = 'number' | 'time';

/** The words that a person types, in their language. */
export interface FilterWords {
  empty: string;
  notEmpty: string;
  yes: string;
  no: string;
}

type FilteredColumn = Pick<TableColumn, 'kind' | 'format' | 'unit' | 'fractionDigits'>;

/**
 * What a person typed over a column: words that a text contains, or a comparison such as `>100`, `10..20` and
 * `2025-03`. Null if nothing is asked yet: no text, or the sign of a comparison that has no value yet.
 */
export function readFilter(
  text: string,
  column: FilteredColumn,
  words: FilterWords,
  locale: string = ownLocale,
): Condition | FilterProblem | null {
  const typed = text.trim();
  if (typed === '') return null;
  const word = fold(typed);
  if (word === fold(words.empty)) return { kind: 'empty', isEmpty: true };
  if (word === fold(words.notEmpty)) return { kind: 'empty', isEmpty: false };
  switch (column.kind) {
    case 'text':
      return textCondition(typed, words);
    case 'time':
      return /^[<>=≤≥.…\s]*$/u.test(typed) ? null : (timeCondition(typed, locale) ?? 'time');
    case 'number':
    case 'amount':
      return /^[<>=≤≥.…\-−+\s]*$/u.test(typed) ? null : (numberCondition(typed, column, locale) ?? 'number');
  }
}

function textCondition(typed: string, words: FilterWords): Condition {
  // In quotation marks, a text can be found that is otherwise a word for empty cells.
  const quoted = /^["„“”](.+)["“”]$/u.exec(typed);
  const needle = fold(quoted?.[1] ?? typed);
  return { kind: 'text', needle, yes: fold(words.yes).includes(needle), no: fold(words.no).includes(needle) };
}

function numberCondition(typed: string, column: FilteredColumn, locale: string): Condition | null {
  const isShare = column.format === 'fraction';
  const condition = {
    kind: 'number' as const,
    open: false,
    decimals: column.kind === 'amount' ? null : shownDecimals(column),
    // A share of one is shown in percent, and so it is typed.
    scale: isShare ? 100 : 1,
  };
  return limits<number, Condition>(typed, (value) => numberIn(value, column.unit, locale), {
    between: (a, b) => ({ ...condition, least: lower(a, b), most: upper(a, b) }),
    over: (least, open) => ({ ...condition, least, most: null, open }),
    under: (most, open) => ({ ...condition, least: null, most, open }),
  });
}

/** The decimals that the cells of a column are shown with. */
function shownDecimals({ format, fractionDigits }: FilteredColumn): number {
  return format === 'money' && fractionDigits > 0 ? 2 : fractionDigits;
}

/** A period counts whole: what is after March is after its last day, and up to March includes all of it. */
function timeCondition(typed: string, locale: string): Condition | null {
  const condition = { kind: 'time' as const, from: null, before: null };
  return limits<{ from: number; before: number }, Condition>(typed, (value) => periodIn(value, locale), {
    between: (a, b) => ({
      ...condition,
      from: lower(a?.from ?? null, b?.from ?? null),
      before: upper(a?.before ?? null, b?.before ?? null),
    }),
    over: (period, open) => ({ ...condition, from: open ? period.before : period.from }),
    under: (period, open) => ({ ...condition, before: open ? period.from : period.before }),
  });
}

/** How a condition is made of the values in a comparison. */
interface Making<V, C> {
  /** Both the same for a value alone; null where a range has no end. */
  between: (a: V | null, b: V | null) => C;
  over: (value: V, open: boolean) => C;
  under: (value: V, open: boolean) => C;
}

/** Takes a comparison apart; null if a value in it cannot be read. */
function limits<V, C>(typed: string, read: (text: string) => V | null, making: Making<V, C>): C | null {
  // A keyboard of a phone makes one character of two full stops, and some people type three.
  const range = typed.split(/\.{2,3}|…/u).map((end) => end.trim());
  if (range.length === 2) {
    const [first = '', last = ''] = range;
    const a = first === '' ? null : read(first);
    const b = last === '' ? null : read(last);
    return (a === null && first !== '') || (b === null && last !== '') ? null : making.between(a, b);
  }
  const [, sign = '', rest = ''] = /^(>=|<=|=>|=<|[<>=≤≥]?)\s*(.*)$/u.exec(typed) ?? [];
  const value = read(rest);
  if (value === null) return null;
  switch (sign) {
    case '>':
    case '<':
      return sign === '>' ? making.over(value, true) : making.under(value, true);
    case '>=':
    case '=>':
    case '≥':
      return making.over(value, false);
    case '<=':
    case '=<':
    case '≤':
      return making.under(value, false);
    default:
      return making.between(value, value);
  }
}

// A range that is typed from its upper end is the same range; an end that is missing stays missing.
function lower(a: number | null, b: number | null): number | null {
  return a === null || b === null ? a : Math.min(a, b);
}

function upper(a: number | null, b: number | null): number | null {
  return a === null || b === null ? b : Math.max(a, b);
}
