const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How many characters a person sees; every text limit is counted so, on the server too. */
export function characterCount(text: string): number {
  // Below this no cluster can be longer than one unit, and typing stays cheap.
  if (/^[\x20-\x7e]*$/u.test(text)) return text.length;
  return [...segmenter.segment(text)].length;
}

/** Cuts a text to at most `limit` characters, never inside one. */
export function shorten(text: string, limit: number): string {
  let result = '';
  let count = 0;
  for (const { segment } of segmenter.segment(text)) {
    if (count++ === limit) break;
    result += segment;
  }
  return result;
}
