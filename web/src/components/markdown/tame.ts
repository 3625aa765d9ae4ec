// What people and models write stays far below these; what is above them is meant to stall a parser.
const maxLength = 20_000;
const maxLines = 1_000;
const maxDepth = 12;
const maxIndent = 60;
const maxMarks = 1_500;
const maxBrackets = 300;

/**
 * Whether a piece of markdown can be parsed without a pause that one can feel. Nesting is counted by the characters
 * that could open a level, so 100,000 quote marks are refused before any parser sees them.
 */
export function isTame(text: string): boolean {
  if (text.length > maxLength) return false;
  if (count(text, /[*_~`|]/gu) > maxMarks * 2) return false;
  if (longestRun(text) > maxMarks) return false;
  if (count(text, /[[(<]/gu) > maxBrackets * 4) return false;
  if (deepestBracket(text) > maxDepth * 2) return false;
  const lines = text.split('\n');
  return lines.length <= maxLines && lines.every(isShallow);
}

function isShallow(line: string): boolean {
  const lead = /^(?:[ \t]*(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s)))+/u.exec(line)?.[0] ?? '';
  const levels = lead.replace(/\d+/gu, '').match(/[>\-*+.)]/gu)?.length ?? 0;
  const indent = /^[ \t]*/u.exec(line)?.[0].length ?? 0;
  return levels <= maxDepth && indent <= maxIndent;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function longestRun(text: string): number {
  return (text.match(/[*_~`]+/gu) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
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
