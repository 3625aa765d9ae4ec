import { common } from '@/messages/common';
import { locale } from './locale';
import { shorten } from './text';

const credits = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 });
const counts = new Intl.NumberFormat(locale);
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
const changes = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
const dayFormat = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', year: 'numeric' });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
const seconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const lists = new Intl.ListFormat(locale, { type: 'conjunction' });

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** The smallest number of credits that is written. */
const leastCredits = 0.01;

/** Credits with the French thousands separator; a dash if there is no value. Less than one can see is not nothing. */
export function formatCredits(value: number | null | undefined): string {
  if (value === null || value === undefined || value === 0) return '–';
  return value > 0 && value < leastCredits / 2 ? `< ${credits.format(leastCredits)}` : credits.format(value);
}

/** A share such as `12.34 %`, of a value in percent; two decimals at most. */
export function formatPercent(value: number): string {
  return percents.format(value / 100);
}

/** A change such as `+12 %`, of a value in percent. */
export function formatChange(value: number): string {
  return changes.format(value / 100);
}

/** A whole number as people read it. */
export function formatCount(value: number): string {
  return counts.format(value);
}

/** A day such as `Nov 20, 2026`; empty for a time that cannot be parsed. */
export function formatDay(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : dayFormat.format(date);
}

/** Day and time in full; empty for a time that cannot be parsed. */
export function formatMoment(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : moment.format(date);
}

/** How long something took, such as `0.3 sec`. */
export function formatSeconds(value: number): string {
  return seconds.format(value < 10 ? Math.max(value, 0.1) : Math.round(value));
}

/** How long ago, such as `3 hours ago`; `just now` under a minute. */
export function formatAgo(time: string, now: number): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return '';
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return common('ago.now');
}

const timeOfDay = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' });
const dayAndMonth = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' });

/** A time as short as its group allows: `2:05 PM` today and yesterday, `Mon` this week, `Nov 3`, and with its year before this one. */
export function formatShortMoment(
  time: string,
  group: 'today' | 'yesterday' | 'week' | 'older',
  now: number,
): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  if (group === 'today' || group === 'yesterday') return timeOfDay.format(date);
  if (group === 'week') return weekday.format(date);
  return date.getFullYear() === new Date(now).getFullYear()
    ? dayAndMonth.format(date)
    : dayFormat.format(date);
}

/** One or two letters that represent a person or a thing without a picture. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : [words[0]];
  return letters.map((word) => shorten(word ?? '?', 1).toUpperCase()).join('');
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

/** A size such as `1.4 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit++;
  }
  return value.toLocaleString(locale, {
    style: 'unit',
    unit: byteUnits[unit],
    // Only bytes are written out.
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: unit === 0 || value >= 99.5 ? 0 : 1,
  });
}

/**
 * The first `most` of some names in a sentence, followed by the text of `others` for the rest. `total` may be
 * larger than the number of given names.
 */
export function formatNames(
  names: readonly string[],
  { most, total = names.length, others }: { most: number; total?: number; others: (count: number) => string },
): string {
  const words = names.slice(0, most);
  if (total > words.length) words.push(others(total - words.length));
  return lists.format(words);
}
