// From here on only whole lines of the growing piece are drawn, so that a long table is parsed once per row.
const wholeLinesFrom = 2000;

/**
 * Closes the open markup in the last piece of a growing answer, so that half a bold word is bold and half a link
 * shows its label, instead of raw markup that changes a moment later.
 */
export function completeTail(text: string): string {
  const lineEnd = text.lastIndexOf('\n');
  if (text.length > wholeLinesFrom && text.length - lineEnd < wholeLinesFrom / 4)
    return text.slice(0, lineEnd);
  const start = text.lastIndexOf('\n\n') + 1;
  const settled = text.slice(0, start);
  return settled + completeLink(completeMarks(text.slice(start)));
}

function completeLink(text: string): string {
  return text.replace(/!?\[([^\][\n]*)\]\([^)\s]*$/u, '$1').replace(/!?\[([^\][\n]*)$/u, '$1');
}

function completeMarks(text: string): string {
  if (isOdd(text.match(/`/gu)?.length ?? 0)) return `${text}\``;
  const outsideCode = text.replace(/`[^`]*`/gu, '');
  if (!isOdd(outsideCode.match(/\*\*/gu)?.length ?? 0)) return text;
  const bare = text.replace(/\*+$/u, '');
  // A single pair of stars at the very end opens nothing yet; only the first star of a closing pair may have
  // arrived.
  if (bare !== text && !isOdd(bare.match(/\*\*/gu)?.length ?? 0)) return bare;
  return `${bare.trimEnd()}**`;
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}
