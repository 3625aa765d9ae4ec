/** A piece that is one table, in groups of rows that can be parsed independently. */
export interface TableRows {
  /** The names of the columns and the line below them. */
  head: string;
  columns: number;
  groups: readonly string[];
  /** Link definitions that cells may refer to, or ''. */
  definitions: string;
}

// Each new row causes its group to be parsed again; each group of a long table adds a table section in the browser.
const rowsPerGroup = 40;

const delimiterRow = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/u;
/** What ends a table without a blank line (GFM, 4.10), and text that belongs to a block above. */
const otherBlock = /^(?: {4}|\t| {0,3}(?:>|#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|`{3}|~{3}|<))/u;
const definition = /^ {0,3}\[[^\]\n]+\]:/u;

/** How many cells a row has. */
function cellsOf(row: string): number {
  const inner = row
    .trim()
    .replace(/^\|/u, '')
    .replace(/(?<!\\)\|$/u, '');
  return inner.split(/(?<!\\)\|/u).length;
}

/** The complete cells of a row: an incomplete cell would be parsed again with each token. */
function wholeCells(row: string): string {
  const cells = row.slice(0, row.lastIndexOf('|') + 1);
  return cells.trim() === '|' ? '' : cells;
}

/**
 * Splits a table into groups of rows, without the incomplete cell of the last row if the piece `grows`; `null` for
 * any other piece.
 */
export function tableRows(piece: string, grows: boolean): TableRows | null {
  const gap = piece.indexOf('\n\n');
  const table = gap === -1 ? piece : piece.slice(0, gap);
  const definitions = gap === -1 ? '' : piece.slice(gap + 2);
  if (definitions !== '' && !definitions.split('\n').every((line) => definition.test(line))) return null;
  const [names = '', delimiters = '', ...rows] = table.split('\n');
  const columns = cellsOf(names);
  if (!names.includes('|') || !delimiters.includes('|') || !delimiterRow.test(delimiters)) return null;
  if (columns !== cellsOf(delimiters) || otherBlock.test(names)) return null;
  if (grows && rows.length > 0) rows.push(...[wholeCells(rows.pop() ?? '')].filter((row) => row !== ''));
  if (!rows.every((row) => row.includes('|') && !otherBlock.test(row))) return null;
  const groups: string[] = [];
  for (let at = 0; at < rows.length; at += rowsPerGroup) {
    groups.push(rows.slice(at, at + rowsPerGroup).join('\n'));
  }
  return { head: `${names}\n${delimiters}`, columns, groups, definitions };
}
