/** Words that are always written in capitals; the server knows the same and more. */
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
 * A column's name as people write it: `net_sales` is `Net sales`. A name with capitals in its first word was
 * written by a person and stays as it is.
 */
export function columnLabel(name: string): string {
  const words = name.replaceAll(/[_\s]+/gu, ' ').trim();
  if (words === '') return name;
  if (/^\S*\p{Lu}/u.test(words)) return words;
  const written = words.replaceAll(/\S+/gu, (word) => (isAcronym(word) ? word.toUpperCase() : word));
  return written.charAt(0).toUpperCase() + written.slice(1);
}

/** The letters and digits of a text, in lower case: the server derives the name of a column from these. */
function folded(text: string): string {
  return text.replaceAll(/[^\p{L}\p{Nd}]+/gu, '').toLowerCase();
}

/** The maximum number of letters and digits of a name: the file reader shortens longer ones. */
const cutName = 60;

/**
 * Whether a column's name was derived from a heading: `bestell_nr` from Bestell-Nr, `n_2023` from 2023, because no
 * name begins with a digit.
 */
function isHeadingOf(heading: string, name: string): boolean {
  const [from, made] = [folded(heading), folded(name)];
  if (from === '') return heading.trim() !== '' && /^column_\d+$/u.test(name);
  if (/^\d/u.test(from)) return `n${from}` === made;
  return from === made || (made.length >= cutName && from.startsWith(made));
}

/** What people see of a column of a file: its heading in the file, and a note. */
interface ColumnHeading {
  readonly label: string;
  readonly note: string;
}

/**
 * Separates the heading of a column in a file from the notes after it, which say how its cells were read. A column
 * without a heading is shown by its name as people write it, and its whole description is a note.
 */
export function columnHeading(name: string, description: string): ColumnHeading {
  for (let end = description.length; end > 0; end = description.lastIndexOf(', ', end - 1)) {
    const heading = description.slice(0, end).trim();
    if (!isHeadingOf(heading, name)) continue;
    return { label: columnLabel(heading), note: description.slice(end).replace(/^, /u, '') };
  }
  return { label: columnLabel(name), note: description };
}

/** The entries of the data dictionary by column: its lines have the form `column: what its values mean`. */
export function dictionaryEntries(dictionary: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const line of dictionary.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) entries.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return entries;
}
