/** A piece of an answer that can be rendered independently of the others. */
export type MarkdownPiece =
  | { kind: 'prose'; text: string }
  /** A fenced block at the top level; open while its end has not arrived. */
  | { kind: 'code'; code: string; language: string; open: boolean };

// A long list is cut between items from here on, so that its growing end remains cheap to parse.
const longBlock = 2000;

interface Fence {
  marker: string;
  /** The columns before the mark; they are removed from each line within. */
  indent: number;
  language: string;
  lines: string[];
}

/**
 * Splits markdown at its top level. Cutting the text anywhere and appending to it changes only the last piece: this
 * makes a growing answer cheap, because all earlier pieces keep their text and are not parsed again.
 */
export function splitBlocks(text: string): MarkdownPiece[] {
  const pieces: MarkdownPiece[] = [];
  let prose: string[] = [];
  let length = 0;
  let fence: Fence | null = null;
  // A line that is indented by at least this number of columns belongs to the list item above it.
  let itemIndent = Number.POSITIVE_INFINITY;

  const endProse = () => {
    const joined = prose.join('\n').trimEnd();
    if (joined.trim() !== '') pieces.push({ kind: 'prose', text: joined });
    prose = [];
    length = 0;
    itemIndent = Number.POSITIVE_INFINITY;
  };

  for (const line of text.split('\n')) {
    if (fence !== null) {
      if (closes(line, fence.marker)) {
        pieces.push({ kind: 'code', code: fence.lines.join('\n'), language: fence.language, open: false });
        fence = null;
      } else {
        fence.lines.push(withoutIndent(line, fence.indent));
      }
      continue;
    }
    const opened = openFence(line);
    if (opened !== null && opened.indent < itemIndent) {
      endProse();
      fence = opened;
      continue;
    }
    if (startsBlock(line, prose, length)) endProse();
    prose.push(line);
    length += line.length + 1;
    itemIndent = contentIndent(line, itemIndent);
  }
  endProse();
  if (fence !== null) {
    // A line that has only just begun does not count as a line yet.
    if (fence.lines.at(-1) === '') fence.lines.pop();
    pieces.push({ kind: 'code', code: fence.lines.join('\n'), language: fence.language, open: true });
  }
  return pieces;
}

/** CommonMark 0.31, 4.5: up to three spaces, three marks, and an info string, without backticks where those are the marks. */
function openFence(line: string): Fence | null {
  const match = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})[ \t]*(\S*)/u.exec(line);
  if (match === null) return null;
  const [, indent = '', marker = '', language = ''] = match;
  return { marker, indent: indent.length, language, lines: [] };
}

/** CommonMark 0.31, 4.5: up to three spaces, at least as many marks of the same kind, and nothing after them. */
function closes(line: string, marker: string): boolean {
  const marks = /^ {0,3}(`{3,}|~{3,})[ \t]*$/u.exec(line)?.[1] ?? '';
  return marks.length >= marker.length && marks.startsWith(marker.charAt(0));
}

function withoutIndent(line: string, indent: number): string {
  const spaces = /^ */u.exec(line)?.[0].length ?? 0;
  return line.slice(Math.min(spaces, indent));
}

/**
 * The column from which on text belongs to the list item that the line begins; unchanged if it begins no item at
 * the top level.
 */
function contentIndent(line: string, before: number): number {
  const other = /^( {0,3})(?:>|#{1,6}(?:\s|$))/u.exec(line)?.[1];
  // A quote or a heading that is not in the item ends it.
  if (other !== undefined && other.length < before) return Number.POSITIVE_INFINITY;
  const [, indent = '', mark = '', gap = ''] = /^( {0,3})([-*+]|\d{1,9}[.)])( +|\t|$)/u.exec(line) ?? [];
  if (mark === '' || indent.length >= before) return before;
  // A gap of five or more spaces counts as one space, followed by code. After a tab, the text begins at a column
  // where no fence can begin.
  const width = gap === '\t' ? 4 : gap.length === 0 || gap.length > 4 ? 1 : gap.length;
  return indent.length + mark.length + width;
}

/** True if the line begins a block that does not depend on the text before it. */
function startsBlock(line: string, prose: readonly string[], length: number): boolean {
  const previous = prose.at(-1);
  if (previous === undefined || line.trim() === '') return false;
  // Indented text belongs to the list item, quote or definition above it.
  if (/^\s/u.test(line)) return false;
  const list = isListItem(line);
  if (previous.trim() === '') return !list || !isListItem(prose.find((text) => text.trim() !== '') ?? '');
  return list && length > longBlock && isListItem(prose[0] ?? '');
}

function isListItem(line: string): boolean {
  return /^(?:[-*+]|\d{1,9}[.)])\s/u.test(line);
}
