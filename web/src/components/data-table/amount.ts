import type { Cell } from './cell';

// Money is written with these codes; other three letters before digits may be part of an article number.
const codes =
  'EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|RON|INR|AUD|CAD|NZD|BRL|MXN|ZAR|TRY|KRW|SGD|HKD|ILS|AED';
const sign = String.raw`(?:\p{Sc}|${codes}|Fr\.?|kr\.?|zł|Kč|R\$|US\$|%)`;
// A number uses one thousands separator throughout, and has no leading zero, unless its integer part is zero.
const digits = String.raw`(?:[1-9]\d{0,2}(?:([.,'’\s])\d{3})(?:\1\d{3})*(?:[.,]\d+)?|(?:0|[1-9]\d{0,14})(?:[.,]\d+)?)`;
const amountPattern = new RegExp(
  String.raw`^(?:[-+−]?\s?${sign}?\s?[-+−]?\s?${digits}\s?${sign}?|\(${sign}?\s?${digits.replaceAll(String.raw`\1`, String.raw`\2`)}\s?${sign}?\))$`,
  'u',
);

/** Whether a text is an amount as people write one: `€1,234.50`, `1.234,50 €`, `(120 %)`. */
export function isAmount(text: string): boolean {
  return amountPattern.test(text.trim());
}

// With at most two decimals the mark cannot be a thousands separator.
const percentPattern = /^[-+]?(?:0|[1-9]\d{0,5})(?:[.,]\d{1,2})?\s?%$/u;

/** The number in a text that can only be a percentage, such as `84.0%`, as a text with a decimal point; else null. */
export function percentageIn(text: string): string | null {
  const trimmed = text.trim();
  return percentPattern.test(trimmed) ? trimmed.replace(/[+%\s]/gu, '').replace(',', '.') : null;
}

/**
 * The numbers of a column of amounts, blanks as null; null if a cell is not an amount. The cells that are
 * unambiguous decide whether a comma is the decimal mark; without such a cell it separates thousands.
 */
export function amountsOf(cells: readonly (Cell | undefined)[]): (number | null)[] | null {
  const texts: (string | null)[] = [];
  for (const cell of cells) {
    if (cell === undefined || cell === null || cell === '') texts.push(null);
    else if (typeof cell === 'string' && isAmount(cell)) texts.push(cell.replace(/[^\d.,()\-−]/gu, ''));
    else return null;
  }
  const decimal = texts.map((text) => (text === null ? null : decimalOf(text))).find((mark) => mark !== null);
  return texts.map((text) => (text === null ? null : numberOf(text, decimal ?? null)));
}

/** The decimal mark, if the text shows it unambiguously. */
function decimalOf(text: string): '.' | ',' | null {
  const marks = text.match(/[.,]/gu) ?? [];
  const last = marks.at(-1);
  if (last !== '.' && last !== ',') return null;
  if (marks.some((mark) => mark !== last)) return last;
  const isGroup = marks.length > 1 || /[.,]\d{3}\D*$/u.test(text);
  if (!isGroup) return last;
  // A thousands separator cannot be the decimal mark.
  return marks.length > 1 ? (last === '.' ? ',' : '.') : null;
}

function numberOf(text: string, decimal: '.' | ',' | null): number {
  const grouped = decimal === ',' ? '.' : ',';
  const plain = text.replaceAll(grouped, '').replace(/[^\d.,]/gu, '');
  const size = Number(plain.replaceAll(decimal ?? '.', decimal === null ? '' : '.'));
  return /[-−(]/u.test(text) ? -size : size;
}
