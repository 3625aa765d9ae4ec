import { fold } from './fold';

/** A year, quarter, month, day or minute: from its beginning until before the next one. */
interface Period {
  from: number;
  before: number;
}

const minute = 60_000;

/**
 * A period as a person types it: `2025`, `2025-03`, `2025-03-01`, `2025-03-01 14:30`, `2025-Q1`, `1.3.2025`, and as
 * cells show it: `Mar 2025`, `Mar 1, 2025`. Null if it is none.
 */
export function periodIn(text: string, locale: string): Period | null {
  const [, day = '', hour, minutes, half] =
    /^(.*?)(?:[T,\s]+(\d{1,2}):(\d{2})(?:\s*([ap])\.?m\.?)?)?$/iu.exec(text.trim()) ?? [];
  const period = quarterIn(day) ?? dayIn(day) ?? namedIn(day, locale);
  if (period === null || hour === undefined) return period;
  // Noon and midnight are twelve in a clock of twelve hours.
  const inDay =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const isDay = period.before - period.from === 24 * 60 * minute;
  if (!isDay || inDay > 23 || Number(minutes) > 59) return null;
  const from = period.from + (inDay * 60 + Number(minutes)) * minute;
  return { from, before: from + minute };
}

function quarterIn(text: string): Period | null {
  const match = /^(?:(\d{4})[-/\s]?Q([1-4])|Q([1-4])[-/\s]?(\d{4}))$/iu.exec(text);
  if (match === null) return null;
  const year = Number(match[1] ?? match[4]);
  const first = (Number(match[2] ?? match[3]) - 1) * 3;
  return { from: Date.UTC(year, first), before: Date.UTC(year, first + 3) };
}

function dayIn(text: string): Period | null {
  const [, year, month, day] = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/u.exec(text) ?? [];
  if (year !== undefined) return periodOf(year, month, day);
  // As it is written in German; only the order with full stops is the same everywhere.
  const [, ownDay, ownMonth, ownYear] = /^(?:(\d{1,2})\.\s?)?(\d{1,2})\.\s?(\d{4})$/u.exec(text) ?? [];
  return ownYear === undefined ? null : periodOf(ownYear, ownMonth, ownDay);
}

/** A month by its name, with a year and perhaps a day in any order. */
function namedIn(text: string, locale: string): Period | null {
  const [name, ...names] = text.match(/\p{L}+/gu) ?? [];
  const numbers: readonly string[] = text.match(/\d+/gu) ?? [];
  const year = numbers.find((number) => number.length === 4);
  const days = numbers.filter((number) => number !== year);
  if (name === undefined || names.length > 0 || year === undefined || days.length > 1) return null;
  if (!/^[\p{L}\d.,\s]+$/u.test(text)) return null;
  const month = monthNames(locale).findIndex((known) => known.has(fold(name)));
  return month === -1 ? null : periodOf(year, String(month + 1), days[0]);
}

function monthNames(locale: string): ReadonlySet<string>[] {
  const styles = (['short', 'long'] as const).map(
    (month) => new Intl.DateTimeFormat(locale, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' }),
  );
  return Array.from({ length: 12 }, (_, month) => {
    const parts = styles.flatMap((style) => style.formatToParts(Date.UTC(2025, month)));
    const names = parts.filter(({ type }) => type === 'month').map(({ value }) => fold(value));
    return new Set(names.map((name) => name.replace('.', '')));
  });
}

function periodOf(year: string, month: string | undefined, day: string | undefined): Period | null {
  const y = Number(year);
  if (month === undefined) return { from: Date.UTC(y, 0), before: Date.UTC(y + 1, 0) };
  const m = Number(month) - 1;
  if (m < 0 || m > 11) return null;
  const before = Date.UTC(y, m + 1);
  if (day === undefined) return { from: Date.UTC(y, m), before };
  const from = Date.UTC(y, m, Number(day));
  // A 31st of February would be a day in March.
  return Number(day) < 1 || from >= before ? null : { from, before: from + 24 * 60 * minute };
}
