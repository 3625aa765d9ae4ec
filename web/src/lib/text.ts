const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters of a text as a person sees them. */
const charactersOf = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/** The number of characters that a person sees; every text limit is counted like this, on the server too. */
export function characterCount(text: string): number {
  // In such a text no cluster can be longer than one unit; this keeps typing cheap.
  if (/^[\x20-\x7e]*$/u.test(text)) return text.length;
  return charactersOf(text).length;
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
  const characters = charactersOf(text);
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
