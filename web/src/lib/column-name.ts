/** Words that are written in capitals wherever they stand; the server knows the same and more. */
const acronyms: ReadonlySet<string> = new Set([
  'id',
  'sku',
  'vat',
  'roi',
  'kpi',
  'ctr',
  'aov',
  'url',
  'ip',
  'uk',
  'usa',
  'eu',
  'gdp',
  'api',
  'nps',
  'uuid',
]);

/** Whether a lower-case word is written in capitals. */
export function isAcronym(word: string): boolean {
  return acronyms.has(word);
}

/** A column's name as people write it: `net_sales` is `Net sales`. A first word that has capitals stays as it is. */
export function columnLabel(name: string): string {
  const words = name.replaceAll(/[_\s]+/gu, ' ').trim();
  if (words === '') return name;
  if (/^\S*\p{Lu}/u.test(words)) return words;
  const written = words.replaceAll(/\S+/gu, (word) => (isAcronym(word) ? word.toUpperCase() : word));
  return written.charAt(0).toUpperCase() + written.slice(1);
}

/** What the data dictionary says of each column: its lines read `column: what its values mean`. */
export function dictionaryEntries(dictionary: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const line of dictionary.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) entries.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return entries;
}
