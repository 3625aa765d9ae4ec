import type { Root } from 'hast';
import type { Copied } from '@/lib/clipboard';
import { htmlOf, textAsHtml } from './copied-html';
import { plainOf } from './copied-plain';
import { definitionsOf, withDefinitions } from './definitions';
import { readMarkdown } from './read-markdown';
import { type MarkdownPiece, splitBlocks } from './split-blocks';
import { tableRows } from './table-rows';
import { isTame } from './tame';

/**
 * An answer as a reader sees it, for the clipboard: as plain text, for a message or a cell, and as HTML, so that
 * bold text, lists and tables are preserved in a document. It contains only elements that the Markdown parser
 * creates; HTML in the answer is text in both.
 */
export function copiedMarkdown(text: string): Copied {
  const pieces = splitBlocks(text);
  const definitions = definitionsOf(pieces);
  const copied = pieces.map((piece) => copiedPiece(piece, definitions));
  return {
    plain: copied.map(({ plain }) => plain).join('\n\n'),
    html: copied.map(({ html }) => html).join('\n'),
  };
}

function copiedPiece(piece: MarkdownPiece, definitions: string): Copied {
  if (piece.kind === 'code') {
    return { plain: piece.code, html: `<pre><code>${textAsHtml(piece.code)}</code></pre>` };
  }
  const text = withDefinitions(piece.text, definitions);
  const tree = isTame(text) ? asRoot(text) : longTable(text);
  // What is too complex for the parser is shown as it was written, and copied like that.
  return tree === null
    ? { plain: piece.text, html: `<p>${textAsHtml(piece.text)}</p>` }
    : { plain: plainOf(tree), html: htmlOf(tree) };
}

function asRoot(text: string): Root {
  const tree = readMarkdown(text);
  return tree.type === 'root' ? tree : { type: 'root', children: [] };
}

/** A table that is too long to be parsed at once is parsed in groups of rows, which are joined to one table here. */
function longTable(text: string): Root | null {
  const table = tableRows(text, false);
  const [first, ...rest] = (table?.groups ?? []).map((rows) => {
    const part = `${table?.head ?? ''}\n${rows}${table?.definitions ? `\n\n${table.definitions}` : ''}`;
    return isTame(part) ? asRoot(part) : null;
  });
  if (!first || rest.includes(null)) return null;
  const [whole] = elementsOf(first);
  for (const part of rest) {
    const bodies = elementsOf(part).flatMap(elementsOf);
    whole?.children.push(...bodies.filter(({ tagName }) => tagName === 'tbody'));
  }
  return first;
}

function elementsOf(node: Pick<Root, 'children'> | null) {
  return (node?.children ?? []).filter((child) => child.type === 'element');
}
