import { locale as ownLocale } from './locale';
import type { ShownColumn } from './wire';

/** What must be known about numbers to format them. */
export type QuantityKind = Pick<ShownColumn, 'format'> & { unit?: string | undefined };

/** Numbers of one kind as texts. Building one is slow compared with using it, so keep it. */
export interface QuantityFormat {
  /** In full, as shown in tooltips and cells: `€1,754,310`, `12.5 kg`, `13.9%`. */
  full: (value: number) => string;
  /** As short as axes and labels need it: `€1.75M`, `3k`, `13.9%`. The unit is left out if the axis title has it. */
  short: (value: number) => string;
}

interface Decimals {
  /** Decimals that every number is shown with, so that a column's points line up; as many as needed if left out. */
  decimals?: number | undefined;
}

const steps: readonly (readonly [number, 'thousand' | 'million' | 'billion'])[] = [
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
];

const english = { thousand: 'k', million: 'M', billion: 'bn' };
const german = { thousand: ' Tsd.', million: ' Mio.', billion: ' Mrd.' };

/** The largest step of thousands that a number reaches when it is rounded: 999,999 is one million. */
function stepOf(value: number): readonly [number, 'thousand' | 'million' | 'billion'] | null {
  const size = Math.abs(value);
  return steps.find(([step]) => size >= step * 0.999_995) ?? null;
}

/** Texts for numbers of a kind, in a locale. Numbers without a known unit are written without one. */
export function quantityFormat(
  kind: QuantityKind,
  options: Decimals = {},
  locale: string = ownLocale,
): QuantityFormat {
  const { format, unit = '' } = kind;
  const suffixes = locale.toLowerCase().startsWith('de') ? german : english;
  const { decimals } = options;
  const digits = (most: number): Intl.NumberFormatOptions =>
    decimals === undefined
      ? { maximumFractionDigits: most }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };

  if (format === 'percent' || format === 'fraction') {
    const scale = format === 'percent' ? 0.01 : 1;
    const share = numberFormat(locale, { style: 'percent', ...digits(2) });
    return { full: (value) => share(value * scale), short: (value) => share(value * scale) };
  }

  const style = styleOf(kind);
  const plain = numberFormat(locale, {
    ...style,
    useGrouping: format !== 'plain',
    minimumFractionDigits: 0,
    ...digits(6),
  });
  const cents = numberFormat(locale, { ...style, ...digits(2), minimumFractionDigits: decimals ?? 2 });
  const round = numberFormat(locale, { ...style, maximumFractionDigits: 2, minimumFractionDigits: 0 });
  const parts = new Intl.NumberFormat(locale, {
    ...style,
    maximumFractionDigits: 2,
    minimumFractionDigits: 0,
  });
  const small = numberFormat(locale, { ...style, maximumSignificantDigits: decimals === undefined ? 2 : 3 });
  const behind = style.style === 'currency' || unit === '' ? '' : `\u00a0${unit}`;

  return {
    full(value) {
      if (value !== 0 && Math.abs(value) < 10 ** -(decimals ?? 2) / 2) return small(value) + behind;
      if (Math.abs(value) >= 1e15 && format !== 'plain') return value.toExponential(3) + behind;
      const isAmount = style.style === 'currency' && decimals === undefined && !Number.isInteger(value);
      return (isAmount ? cents(value) : plain(value)) + behind;
    },
    short(value) {
      const step = stepOf(value);
      if (format === 'plain') return plain(value);
      if (step === null) return value !== 0 && Math.abs(value) < 0.01 ? small(value) : round(value);
      return withSuffix(parts.formatToParts(value / step[0]), suffixes[step[1]]);
    },
  };
}

type Style = Pick<Intl.NumberFormatOptions, 'style' | 'currency' | 'currencyDisplay'>;

function styleOf({ format, unit }: QuantityKind): Style {
  // A code that cannot be a currency code is written after the number, like any other unit.
  return format === 'money' && unit !== undefined && /^[A-Z]{3}$/u.test(unit)
    ? { style: 'currency', currency: unit, currencyDisplay: 'narrowSymbol' }
    : {};
}

function numberFormat(locale: string, options: Intl.NumberFormatOptions): (value: number) => string {
  const format = new Intl.NumberFormat(locale, options);
  // A minus sign before zero is meaningless.
  return (value) => format.format(Object.is(value, -0) ? 0 : value);
}

/** Puts a suffix after the last digit, before a currency that follows the number. */
function withSuffix(parts: readonly Intl.NumberFormatPart[], suffix: string): string {
  const last = parts.findLastIndex(({ type }) => type === 'integer' || type === 'fraction');
  return parts.map(({ value }, place) => (place === last ? value + suffix : value)).join('');
}

/** The sign or name of a unit, as a heading shows it in brackets; empty if none is known. */
export function unitSign(kind: QuantityKind, locale: string = ownLocale): string {
  const style = styleOf(kind);
  if (style.style !== 'currency') return kind.unit ?? '';
  const parts = new Intl.NumberFormat(locale, style).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? kind.unit ?? '';
}
