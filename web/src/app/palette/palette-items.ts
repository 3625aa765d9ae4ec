import type { LucideIcon } from 'lucide-react';

/** What the palette can do. */
export interface PaletteItem {
  /** Unique within the palette. */
  id: string;
  label: string;
  icon: LucideIcon;
  /** Other words that it is found by: its kind, what else it is called, what is there. */
  words?: string;
  /** Grey, at the end of the row. */
  note?: string;
  /** Keys that do the same, as lib/hotkeys writes them. */
  keys?: string;
  run: () => void;
}

/** The fewest letters that select a kind; with fewer too many names match. */
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

/** Whether each of the words is found in the text, in whatever order: `new blueprint`, `blueprint new`. */
export function holdsAll(text: string, typed: string): boolean {
  const words = wordsOf(text);
  return wordsOf(typed).every((part) => isIn(part, words));
}

/** Those of whose label and other words each word that was typed is one, or the beginning of one. */
export function matching(items: readonly PaletteItem[], typed: string): PaletteItem[] {
  return items.filter(({ label, words = '' }) => holdsAll(`${label} ${words}`, typed));
}

/** What is asked for besides the kind: of `sales connector` among the connectors `sales`. */
export function besidesKind(typed: string, kind: string): string {
  const kinds = wordsOf(kind);
  const isKind = (part: string): boolean =>
    part.length >= kindLetters && kinds.some((word) => word.startsWith(part));
  return wordsOf(typed)
    .filter((part) => !isKind(part))
    .join(' ');
}

/** The word that a server is asked for that looks for one text alone: the longest says most. */
export function longestOf(typed: string): string {
  return wordsOf(typed).reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
