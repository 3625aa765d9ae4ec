/** The colours that code is drawn in. Few on purpose: calm code reads faster. */
export type TokenKind =
  'keyword' | 'string' | 'number' | 'comment' | 'name' | 'type' | 'meta' | 'added' | 'removed';

/** A run of code with one colour; null is plain. */
export interface CodeToken {
  kind: TokenKind | null;
  text: string;
}

const kinds: Readonly<Record<string, TokenKind>> = {
  'hljs-addition': 'added',
  'hljs-attr': 'name',
  'hljs-attribute': 'name',
  'hljs-built_in': 'type',
  'hljs-bullet': 'meta',
  'hljs-comment': 'comment',
  'hljs-deletion': 'removed',
  'hljs-doctag': 'comment',
  'hljs-keyword': 'keyword',
  'hljs-literal': 'number',
  'hljs-meta': 'meta',
  'hljs-name': 'keyword',
  'hljs-number': 'number',
  'hljs-operator': 'keyword',
  'hljs-quote': 'comment',
  'hljs-regexp': 'string',
  'hljs-section': 'name',
  'hljs-selector-class': 'name',
  'hljs-selector-tag': 'keyword',
  'hljs-string': 'string',
  'hljs-symbol': 'number',
  'hljs-title': 'name',
  'hljs-type': 'type',
  'hljs-variable': 'name',
};

/** The colour of a highlighter's class list, or null if it has none. */
export function tokenKind(classes: readonly string[]): TokenKind | null {
  for (const name of classes) {
    if (Object.hasOwn(kinds, name)) return kinds[name] ?? null;
  }
  return null;
}
