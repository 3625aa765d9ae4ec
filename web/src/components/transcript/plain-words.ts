/** The first line of a text without the marks of Markdown, for places with space for one line. */
export function plainWords(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.replaceAll(/[*`#]+|\\(?=_)/gu, '').trim();
}
