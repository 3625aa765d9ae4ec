import { figureLink } from '@/components/markdown/figure-links';

import type { Figure } from './message';

const encoder = new TextEncoder();

/**
 * Makes a link of each number that is a cell. Figures that do not fit the text, or hold what is markup, are left as
 * they are: a message is shown whole whatever is said of it.
 */
export function markFigures(text: string, figures: readonly Figure[]): string {
  if (figures.length === 0) return text;
  const units = unitsAt(text);
  let marked = '';
  let from = 0;
  for (const [place, figure] of figures.entries()) {
    const [start, end] = [units(figure.start), units(figure.end)];
    if (start === null || end === null || start < from || end <= start) continue;
    const number = text.slice(start, end);
    if (/[[\]\n`*\\]/u.test(number)) continue;
    marked += `${text.slice(from, start)}${figureLink(number, place)}`;
    from = end;
  }
  return marked + text.slice(from);
}

/** How long a text is in bytes, as the server counts. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** Where a text is to be cut, given in bytes as the server counts; its end for what lies beyond. */
export function cutAt(text: string, bytes: number): number {
  return unitsAt(text)(bytes) ?? text.length;
}

/** Translates offsets in bytes, which have to rise, into JavaScript's units; `null` for what is none. */
function unitsAt(text: string): (bytes: number) => number | null {
  const encoded = encoder.encode(text);
  // Latin text is the common case, and its bytes are its units.
  if (encoded.length === text.length) return (bytes) => (bytes >= 0 && bytes <= text.length ? bytes : null);
  const decoder = new TextDecoder();
  return (bytes) => {
    if (bytes < 0 || bytes > encoded.length) return null;
    // A continuation byte is no place to cut.
    if (((encoded[bytes] ?? 0) & 0xc0) === 0x80) return null;
    return decoder.decode(encoded.subarray(0, bytes)).length;
  };
}
