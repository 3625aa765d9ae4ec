import type { MarkdownPiece } from './split-blocks';

const maxDefinitions = 50;

/** The link definitions (`[name]: address`) of an answer, which any piece of it may refer to. */
export function definitionsOf(pieces: readonly MarkdownPiece[]): string {
  const found: string[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'prose')
      found.push(...(piece.text.match(/^ {0,3}\[[^\]^[\n]{1,200}\]:[ \t]*\S[^\n]{0,500}$/gmu) ?? []));
  }
  return found.slice(0, maxDefinitions).join('\n');
}

/** The piece with the definitions that it may need; unchanged if it has no references. */
export function withDefinitions(text: string, definitions: string): string {
  if (definitions === '' || !/\[[^\]\n]+\](?![(:])/u.test(text)) return text;
  return `${text}\n\n${definitions}`;
}
