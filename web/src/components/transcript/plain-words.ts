/** The first line of a text without the marks of Markdown, for where there is room for a line. */
export function plainWords(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.replaceAll(/[*`#]+|\\(?=_)/gu, '').trim();
}
