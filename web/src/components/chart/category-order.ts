import { locale as ownLocale } from '@/lib/locale';

/** The names of days and months as people and databases write them, in a few languages. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl'];

function calendarNames(part: 'weekday' | 'month'): string[][] {
  const count = part === 'weekday' ? 7 : 12;
  const lists: string[][] = [];
  for (const language of new Set([...languages, ownLocale])) {
    for (const length of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { [part]: length, timeZone: 'UTC' });
      lists.push(
        Array.from({ length: count }, (_, place) =>
          // The fifth of January 1970 is a Monday.
          fold(format.format(part === 'weekday' ? Date.UTC(1970, 0, 5 + place) : Date.UTC(1970, place, 15))),
        ),
      );
    }
  }
  return lists;
}

const scales: readonly (readonly string[])[] = [
  ['xxs', 'xs', 's', 'm', 'l', 'xl', 'xxl', '2xl', 'xxxl', '3xl', '4xl', '5xl'],
  ['tiny', 'small', 'medium', 'large', 'extra large', 'huge'],
  ['very low', 'low', 'medium', 'normal', 'high', 'very high', 'urgent', 'critical'],
  ['never', 'rarely', 'sometimes', 'often', 'usually', 'always'],
  ['weekday', 'weekend'],
];

let known: string[][] | null = null;

function ordered(): readonly (readonly string[])[] {
  known ??= [...calendarNames('weekday'), ...calendarNames('month'), ...scales.map((scale) => [...scale])];
  return known;
}

function fold(name: string): string {
  return name.trim().toLowerCase().replace(/\.$/u, '');
}

/** The lower end of a range such as `18-24`, `65+`, `< 18` or `under 18`; null for any other text. */
function rangeStart(name: string): number | null {
  const below = /^(?:<|≤|under|up to|unter|bis)\s*(\d+(?:[.,]\d+)?)/u.exec(fold(name));
  if (below !== null) return -1;
  const range =
    /^(?:>|≥|over|über|ab)?\s*(-?\d+(?:[.,]\d+)?)\s*(?:(?:-|–|—|to|bis)\s*-?\d+(?:[.,]\d+)?|\+|and over)?\s*(?:%|€|\$|years?|jahre)?$/u.exec(
      fold(name),
    );
  return range?.[1] === undefined ? null : Number(range[1].replace(',', '.'));
}

/** Whether all names are days of the week, or months: their first letters distinguish them. */
export function isCalendar(names: readonly string[]): boolean {
  if (names.length < 2) return false;
  const folded = names.map(fold);
  return [...calendarNames('weekday'), ...calendarNames('month')].some((list) =>
    folded.every((name) => list.includes(name)),
  );
}

/** The places of names in their own order (weekdays, months, sizes, ranges); null if they have none. */
export function ownOrder(names: readonly string[]): number[] | null {
  if (names.length < 2) return null;
  const folded = names.map(fold);
  const scale = ordered().find((list) => folded.every((name) => list.includes(name)));
  const ranks = scale === undefined ? names.map(rangeStart) : folded.map((name) => scale.indexOf(name));
  if (ranks.some((rank) => rank === null)) return null;
  return names.map((_, place) => place).sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b);
}

function isSorted(values: readonly number[]): boolean {
  const falls = values.every((value, place) => place === 0 || value <= (values[place - 1] ?? value));
  const rises = values.every((value, place) => place === 0 || value >= (values[place - 1] ?? value));
  return falls || rises;
}

/**
 * The order in which categories are drawn, as indexes of the given names: their own order if they have one; else
 * the order of their values if the query sorted by value; else the order of the reader's language if the query
 * sorted by name, because a database puts Zürich before Österreich. Any other order is intended and is kept.
 */
export function categoryOrder(
  names: readonly string[],
  values: readonly (number | null)[],
  locale: string = ownLocale,
): number[] {
  const own = ownOrder(names);
  if (own !== null) return own;
  const places = names.map((_, place) => place);
  if (isSorted(values.map((value) => value ?? 0))) return places;
  const byCode = names.every((name, place) => place === 0 || (names[place - 1] ?? '') <= name);
  if (!byCode) return places;
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  return places.sort((a, b) => collator.compare(names[a] ?? '', names[b] ?? ''));
}
