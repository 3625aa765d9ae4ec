import type { LucideIcon } from 'lucide-react';

/** What the palette can do. */
export interface PaletteItem {
  /** Unique within the palette. */
  id: string;
  label: string;
  icon: LucideIcon;
  /** Other words that it is found by: its kind, other names, its content. */
  words?: string;
  /** A second line, in small type. */
  detail?: string;
  /** Grey, at the end of the row. */
  note?: string;
  /** Keys that do the same, as lib/hotkeys writes them. */
  keys?: string;
  run: () => void;
}

/** The fewest letters that select a kind; with fewer letters, too many names match. */
const kindLetters = 4;
/** From this number of letters on a word may also match within another one, as German compounds need. */
const withinLetters = 3;

/** The words of a text, as they are compared. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

function isIn(part: string, words: readonly string[]): boolean {
  return words.some((word) => word.startsWith(part) || (part.length >= withinLetters && word.includes(part)));
}

/** Whether each of the words is found in the text, in any order: `new blueprint`, `blueprint new`. */
export function holdsAll(text: string, typed: string): boolean {
  const words = wordsOf(text);
  return wordsOf(typed).every((part) => isIn(part, words));
}

/**
 * The items of which each typed word matches a word, or the beginning of a word, of the label or of the other
 * words.
 */
export function matching(items: readonly PaletteItem[], typed: string): PaletteItem[] {
  return items.filter(({ label, words = '' }) => holdsAll(`${label} ${words}`, typed));
}

/** The typed words without those for the kind: `sales connector` becomes `sales` for connectors. */
export function besidesKind(typed: string, kind: string): string {
  const kinds = wordsOf(kind);
  const isKind = (part: string): boolean =>
    part.length >= kindLetters && kinds.some((word) => word.startsWith(part));
  return wordsOf(typed)
    .filter((part) => !isKind(part))
    .join(' ');
}

/** The word to send to a server that searches for one text only: the longest one is the most specific. */
export function longestOf(typed: string): string {
  return wordsOf(typed).reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
