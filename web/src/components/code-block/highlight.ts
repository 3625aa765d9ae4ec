import type { RootContent } from 'hast';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import r from 'highlight.js/lib/languages/r';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

import { type CodeToken, tokenKind } from './tokens';

const lowlight = createLowlight({
  bash,
  css,
  diff,
  html: xml,
  java,
  javascript,
  json,
  markdown,
  python,
  r,
  sql,
  typescript,
  xml,
  yaml,
});

/** Cuts code into coloured runs. The runs joined together are the code, unchanged. Unknown languages are one run. */
export function highlight(code: string, language: string): CodeToken[] {
  if (!lowlight.registered(language)) return [{ kind: null, text: code }];
  const tokens: CodeToken[] = [];
  collect(lowlight.highlight(language, code).children, null, tokens);
  return tokens;
}

function collect(nodes: readonly RootContent[], kind: CodeToken['kind'], into: CodeToken[]): void {
  for (const node of nodes) {
    if (node.type === 'text') into.push({ kind, text: node.value });
    if (node.type === 'element') {
      const classes = node.properties.className;
      const own = Array.isArray(classes) ? tokenKind(classes.map(String)) : null;
      collect(node.children, own ?? kind, into);
    }
  }
}
