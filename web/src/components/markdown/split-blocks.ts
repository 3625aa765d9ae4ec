/** A piece of an answer that can be drawn without looking at the others. */
export type MarkdownPiece =
  | { kind: 'prose'; text: string }
  /** A fenced block at the top level; open while its end has not arrived. */
  | { kind: 'code'; code: string; language: string; open: boolean };

// A long list is cut between items from here on, so that the growing end of it stays cheap to parse.
const longBlock = 2000;

interface Fence {
  marker: string;
  language: string;
  lines: string[];
}

/**
 * Splits markdown at its top level. Cutting the text anywhere and appending to it changes only the last piece:
 * that is what makes a growing answer cheap, for all pieces before keep their text and are not parsed again.
 */
export function splitBlocks(text: string): MarkdownPiece[] {
  const pieces: MarkdownPiece[] = [];
  let prose: string[] = [];
  let length = 0;
  let fence: Fence | null = null;

  const endProse = () => {
    const joined = prose.join('\n').trimEnd();
    if (joined.trim() !== '') pieces.push({ kind: 'prose', text: joined });
    prose = [];
    length = 0;
  };

  for (const line of text.split('\n')) {
    if (fence !== null) {
      if (closes(line, fence.marker)) {
        pieces.push({ kind: 'code', code: fence.lines.join('\n'), language: fence.language, open: false });
        fence = null;
      } else {
        fence.lines.push(line);
      }
      continue;
    }
    const opened = openFence(line);
    if (opened !== null) {
      endProse();
      fence = opened;
      continue;
    }
    if (startsBlock(line, prose, length)) endProse();
    prose.push(line);
    length += line.length + 1;
  }
  endProse();
  if (fence !== null) {
    pieces.push({ kind: 'code', code: fence.lines.join('\n'), language: fence.language, open: true });
  }
  return pieces;
}

function openFence(line: string): Fence | null {
  const match = /^(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$/u.exec(line);
  if (match === null) return null;
  return { marker: match[1] ?? '', language: match[2] ?? '', lines: [] };
}

function closes(line: string, marker: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= marker.length && trimmed === marker.charAt(0).repeat(trimmed.length);
}

/** True when the line begins something that does not need what stands before it. */
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
