import { shorten } from './text';

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
