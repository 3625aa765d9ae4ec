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

/** Words that lead to the next one: a name that ends with one of them reads as if something were missing. */
const leading = new Set(
  'a an and at by for from in is of on or per the to with am an bei das dem den der die ein eine für im in mit nach oder pro und von vor zu zum zur'.split(
    ' ',
  ),
);

/**
 * Cuts a text to at most `limit` characters after a whole word, and leaves out words at its end that lead to the next
 * one. A first word that is longer than that is cut as `shorten` does.
 */
export function shortenAtWord(text: string, limit: number): string {
  const cut = shorten(text, limit);
  if (cut.length === text.length) return text.trim();
  // The cut may have come just behind a word.
  const whole = /^\s/u.test(text.slice(cut.length)) ? cut : cut.replace(/\s*\S*$/u, '');
  const words = whole.trim().split(/\s+/u).filter(Boolean);
  while (words.length > 1 && leading.has(words.at(-1)?.toLowerCase() ?? '')) words.pop();
  return words.length === 0 ? cut.trim() : words.join(' ').replace(/[,;:–-]+$/u, '');
}
