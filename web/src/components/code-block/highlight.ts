import bash from 'highlight.js/lib/languages/bash';
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

/** The twelve languages that code is written in here, the ones of the editor; HTML has the grammar of XML. */
const lowlight = createLowlight({
  bash,
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

type Nodes = ReturnType<typeof lowlight.highlight>['children'];

/** Cuts code into coloured runs. The runs joined together are the code, unchanged. Unknown languages are one run. */
export function highlight(code: string, language: string): CodeToken[] {
  if (!lowlight.registered(language)) return [{ kind: null, text: code }];
  const tokens: CodeToken[] = [];
  collect(lowlight.highlight(language, code).children, null, tokens);
  return tokens;
}

function collect(nodes: Nodes, kind: CodeToken['kind'], into: CodeToken[]): void {
  for (const node of nodes) {
    if (node.type === 'text') into.push({ kind, text: node.value });
    if (node.type === 'element') {
      const classes = node.properties.className;
      const own = Array.isArray(classes) ? tokenKind(classes.map(String)) : null;
      collect(node.children, own ?? kind, into);
    }
  }
}
