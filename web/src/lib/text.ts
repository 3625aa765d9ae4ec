const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The number of characters that a person sees; every text limit is counted like this, on the server too. */
export function characterCount(text: string): number {
  // In such a text no cluster can be longer than one unit; this keeps typing cheap.
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

/** Words that require a following word: a name that ends with one of them looks incomplete. */
const leading = new Set(
  'a an and at by for from in is of on or per the to with am an bei das dem den der die ein eine für im in mit nach oder pro und von vor zu zum zur'.split(
    ' ',
  ),
);

/**
 * Cuts a text to at most `limit` characters after a whole word, and removes words at its end that require a
 * following word. A first word that is longer than that is cut as `shorten` does.
 */
export function shortenAtWord(text: string, limit: number): string {
  const cut = shorten(text, limit);
  if (cut.length === text.length) return text.trim();
  // The cut may be just after a word.
  const whole = /^\s/u.test(text.slice(cut.length)) ? cut : cut.replace(/\s*\S*$/u, '');
  const words = whole.trim().split(/\s+/u).filter(Boolean);
  while (words.length > 1 && leading.has(words.at(-1)?.toLowerCase() ?? '')) words.pop();
  return words.length === 0 ? cut.trim() : words.join(' ').replace(/[,;:–-]+$/u, '');
}

/**
 * Returns how to show texts that have space for `limit` characters each, so that texts that begin alike stay
 * distinct: unchanged if a cut at the end leaves them different; else without their middle, with the end starting
 * at a word if they are distinct then; else without the common beginning of all long ones.
 */
export function distinguishable(texts: readonly string[], limit: number): (text: string) => string {
  const different = [...new Set(texts)];
  const long = different.filter((text) => characterCount(text) > limit);
  if (long.length < 2) return (text) => text;
  const alike = commonBeginning(long);
  const ways = [
    { cut: (text: string) => shorten(text, limit - 1), show: (text: string) => text },
    ...[
      (text: string) => withoutMiddle(text, limit, 'from a word'),
      (text: string) => withoutMiddle(text, limit, 'anywhere'),
      (text: string) => (text.startsWith(alike) ? `…${shorten(text.slice(alike.length), limit - 1)}` : text),
    ].map((way) => {
      const show = (text: string): string => (characterCount(text) > limit ? way(text) : text);
      return { cut: show, show };
    }),
  ].map(({ cut, show }) => ({ show, count: new Set(long.map(cut)).size }));
  const most = Math.max(...ways.map(({ count }) => count));
  return ways.find(({ count }) => count === most)?.show ?? ((text) => text);
}

/** The beginning and the end of a text, with an ellipsis between them. The end can be made to start at a word. */
function withoutMiddle(text: string, limit: number, ending: 'from a word' | 'anywhere'): string {
  const characters = [...segmenter.segment(text)].map(({ segment }) => segment);
  let from = characters.length - Math.floor((limit - 1) / 2);
  const word = characters.findIndex((character, at) => at >= from - 1 && character === ' ') + 1;
  if (ending === 'from a word' && word > 0 && word < characters.length) from = word;
  const head = characters.slice(0, limit - 1 - (characters.length - from));
  return `${head.join('').trimEnd()}…${characters.slice(from).join('').trimStart()}`;
}

/** The common beginning of all texts, up to the end of a word. */
function commonBeginning(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let same = first.length;
  for (const text of others) {
    while (!text.startsWith(first.slice(0, same))) same--;
  }
  return first.slice(0, same).replace(/\S*$/u, '');
}
