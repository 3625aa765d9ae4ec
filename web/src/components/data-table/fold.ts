/** Letters that are letters of their own, although people who look for them often type another one. */
const alike: Readonly<Partial<Record<string, string>>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** A text without case and accents, in which texts are looked for: `Łódź` and `lodz` are the same. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  // Most texts of a large table have nothing to take apart.
  if (/^[\x20-\x7e]*$/u.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþı]/gu, (letter) => alike[letter] ?? letter);
}
