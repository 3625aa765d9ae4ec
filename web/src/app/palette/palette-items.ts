import type { LucideIcon } from 'lucide-react';

/** What the palette can do. */
export interface PaletteItem {
  /** Unique within the palette. */
  id: string;
  label: string;
  icon: LucideIcon;
  /** Grey, at the end of the row. */
  note?: string;
  /** Keys that do the same, as lib/hotkeys writes them. */
  keys?: string;
  run: () => void;
}

/** Those in whose label each of the words begins a word: `go con` finds `Go to connectors`. */
export function matching(items: readonly PaletteItem[], typed: string): PaletteItem[] {
  const wanted = typed.toLowerCase().split(/\s+/u).filter(Boolean);
  return items.filter(({ label }) => {
    const words = label.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return wanted.every((part) => words.some((word) => word.startsWith(part)));
  });
}
