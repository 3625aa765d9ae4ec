import { shorten } from './text';

const credits = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 });
const counts = new Intl.NumberFormat('en-US');
const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Credits with the French thousands separator; a dash when there are none to show. */
export function formatCredits(value: number | null | undefined): string {
  return value === null || value === undefined || value === 0 ? '–' : credits.format(value);
}

/** A whole number as people read it. */
export function formatCount(value: number): string {
  return counts.format(value);
}

/** A day such as `Nov 20, 2026`; empty for a time that cannot be read. */
export function formatDay(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : dayFormat.format(date);
}

/** How long ago, such as `3 hours ago`; `just now` under a minute. */
export function formatAgo(time: string, now: number): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return '';
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return 'just now';
}

/** One or two letters that stand for a person or a thing without a picture. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : [words[0]];
  return letters.map((word) => shorten(word ?? '?', 1).toUpperCase()).join('');
}

/** `one` for 1, else the plural: `1 connector`, `2 connectors`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const byteUnits = ['bytes', 'kB', 'MB', 'GB'] as const;

/** A size such as `1.4 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit++;
  }
  const rounded = unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${counts.format(rounded)} ${byteUnits[unit] ?? 'GB'}`;
}
