import { locale as ownLocale } from './locale';
import type { ShownColumn } from './wire';

type Format = ShownColumn['format'];

const utc = { timeZone: 'UTC' } as const;

const shapes: Readonly<Partial<Record<Format, Intl.DateTimeFormatOptions>>> = {
  year: { year: 'numeric', ...utc },
  month: { month: 'short', year: 'numeric', ...utc },
  week: { day: 'numeric', month: 'short', year: 'numeric', ...utc },
  date: { day: 'numeric', month: 'short', year: 'numeric', ...utc },
  timestamp: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...utc,
  },
};

/** Whether values of a format are times. */
export function isTime(format: Format): boolean {
  return format === 'quarter' || format in shapes;
}

/**
 * A time as results write it, in milliseconds: `2026-01-31`, `2026-01`, `2026-Q1`, `2026`; null if it is not a
 * time.
 */
export function timeOf(value: string | number): number | null {
  const text = String(value).trim();
  const match =
    /^(\d{4})(?:[-/ ]?(?:Q([1-4])|(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?)?))?/u.exec(text);
  if (match?.[1] === undefined || !/^[\d\-/ :TQ.Z+]*$/u.test(text)) return null;
  const [year, quarter, month, day, hour, minute, second] = match
    .slice(1)
    .map((part: string | undefined) => (part === undefined ? null : Number(part)));
  const inYear = quarter === null || quarter === undefined ? (month ?? 1) - 1 : (quarter - 1) * 3;
  const time = Date.UTC(year ?? 0, inYear, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0);
  return inYear > 11 || (day ?? 1) > 31 ? null : time;
}

/** Writes times of a format: `Jan 2026`, `Q1 2026`, `Jan 31, 2026`. Keep it; building one is slow. */
export function periodFormat(format: Format, locale: string = ownLocale): (time: number) => string {
  if (format === 'quarter') {
    return (time) => {
      const date = new Date(time);
      return `Q${String(Math.floor(date.getUTCMonth() / 3) + 1)} ${String(date.getUTCFullYear())}`;
    };
  }
  const writer = new Intl.DateTimeFormat(locale, shapes[format] ?? shapes.date);
  return (time) => writer.format(time);
}

/** A time in the notation that other programs read, as short as its format allows. */
export function isoPeriod(time: number, format: Format): string {
  const iso = new Date(time).toISOString();
  switch (format) {
    case 'year':
      return iso.slice(0, 4);
    case 'month':
      return iso.slice(0, 7);
    case 'quarter':
      return `${iso.slice(0, 4)}-Q${String(Math.ceil(Number(iso.slice(5, 7)) / 3))}`;
    default:
      return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ');
  }
}
