import { figureLink } from '@/components/markdown/figure-links';
import type { Figure } from './message';

const encoder = new TextEncoder();

/**
 * Turns each number that is a cell into a link. Figures that do not fit the text, or contain markup characters, are
 * skipped: a message is always shown completely, even if its figures are wrong.
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

/**
 * The index at which to cut a text, for a byte offset as the server counts; the end of the text for an invalid
 * offset.
 */
export function cutAt(text: string, bytes: number): number {
  return unitsAt(text)(bytes) ?? text.length;
}

/** Translates byte offsets into JavaScript's UTF-16 units; `null` for an invalid offset. */
function unitsAt(text: string): (bytes: number) => number | null {
  const encoded = encoder.encode(text);
  // ASCII text is the common case, and its bytes are its units.
  if (encoded.length === text.length) return (bytes) => (bytes >= 0 && bytes <= text.length ? bytes : null);
  const decoder = new TextDecoder();
  return (bytes) => {
    if (bytes < 0 || bytes > encoded.length) return null;
    // A continuation byte is not a valid position.
    if (((encoded[bytes] ?? 0) & 0xc0) === 0x80) return null;
    return decoder.decode(encoded.subarray(0, bytes)).length;
  };
}
