import { common, createLowlight } from 'lowlight';

import { type CodeToken, tokenKind } from './tokens';

const lowlight = createLowlight(common);

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
