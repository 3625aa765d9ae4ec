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
function isAcronym(word: string): boolean {
  return acronyms.has(word);
}

/**
 * A column's name as people write it: `net_sales` is `Net sales`. What a person wrote, which has capitals or signs,
 * stays as it is but for its first letter.
 */
export function columnLabel(name: string): string {
  const words = name.replaceAll(/[_\s]+/gu, ' ').trim();
  if (words === '') return name;
  if (/^\S*\p{Lu}/u.test(words)) return words;
  const written = words.replaceAll(/\S+/gu, (word) => (isAcronym(word) ? word.toUpperCase() : word));
  return written.charAt(0).toUpperCase() + written.slice(1);
}

/** Letters and digits of a text, in small letters: what the server made a column's name of. */
function folded(text: string): string {
  return text.replaceAll(/[^\p{L}\p{Nd}]+/gu, '').toLowerCase();
}

/** The most letters and digits of a name: the reader of files shortens longer ones. */
const cutName = 60;

/** Whether a column's name was made of a heading: `bestell_nr` of Bestell-Nr, `n_2023` of 2023, as no name begins with a digit. */
function isHeadingOf(heading: string, name: string): boolean {
  const [from, made] = [folded(heading), folded(name)];
  if (from === '') return heading.trim() !== '' && /^column_\d+$/u.test(name);
  if (/^\d/u.test(from)) return `n${from}` === made;
  return from === made || (made.length >= cutName && from.startsWith(made));
}

/** What people see of a column of a file: the heading that stood above it, and what else is said of it. */
interface ColumnHeading {
  readonly label: string;
  readonly note: string;
}

/**
 * Tells the heading that a file had above a column from the notes behind it, which say how its cells were read. A
 * column without a heading of its own is written as people write its name, and all of its description is a note.
 */
export function columnHeading(name: string, description: string): ColumnHeading {
  for (let end = description.length; end > 0; end = description.lastIndexOf(', ', end - 1)) {
    const heading = description.slice(0, end).trim();
    if (!isHeadingOf(heading, name)) continue;
    return { label: columnLabel(heading), note: description.slice(end).replace(/^, /u, '') };
  }
  return { label: columnLabel(name), note: description };
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
