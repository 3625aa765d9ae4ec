// Text by people and models is far below these limits; text above them is intended to block a parser. They were
// measured so that no piece within them takes much more than 100 ms to parse on a slow machine.
const maxLength = 12_000;
const maxLines = 500;
const maxDepth = 12;
const maxIndent = 60;
const maxMarks = 1_500;
const maxPipes = 3_000;
const maxBrackets = 600;
const maxRun = 200;
const maxNestedBrackets = 20;

/**
 * Whether a piece of markdown can be parsed without a noticeable pause. Nesting is counted by the characters that
 * could open a level, so 100,000 quote marks are refused before any parser sees them.
 */
export function isTame(text: string): boolean {
  if (text.length > maxLength) return false;
  if (count(text, /[*_~`]/gu) > maxMarks || count(text, /\|/gu) > maxPipes) return false;
  if (count(text, /[[(<]/gu) > maxBrackets || deepestBracket(text) > maxNestedBrackets) return false;
  if (new RegExp(`[*_~\`]{${maxRun}}`, 'u').test(text)) return false;
  const lines = text.split('\n');
  return lines.length <= maxLines && lines.every(isShallow);
}

function isShallow(line: string): boolean {
  const lead = /^(?:[ \t]*(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s)))+/u.exec(line)?.[0] ?? '';
  const levels = lead.match(/[>\-*+.)]/gu)?.length ?? 0;
  const indent = /^[ \t]*/u.exec(line)?.[0].length ?? 0;
  return levels <= maxDepth && indent <= maxIndent;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function deepestBracket(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '[') deepest = Math.max(deepest, (depth += 1));
    if (character === ']') depth = Math.max(0, depth - 1);
  }
  return deepest;
}
