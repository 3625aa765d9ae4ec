import type { Nodes as HtmlNodes } from 'hast';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toHast } from 'mdast-util-to-hast';
import { gfm } from 'micromark-extension-gfm';

const extensions = [gfm()];
const mdastExtensions = [gfmFromMarkdown()];

/**
 * Parses an answer (GitHub's Markdown) into a tree of elements. HTML in it becomes `raw` nodes, which are rendered
 * as plain text.
 */
export function readMarkdown(text: string): HtmlNodes {
  const tree = fromMarkdown(text, { extensions, mdastExtensions });
  takeLineBreaks(tree);
  return toHast(tree, { allowDangerousHtml: true });
}

/** Parses `<br>` as a line break, the only tag that models need inside table cells. All other HTML stays text. */
function takeLineBreaks(node: Nodes): void {
  if (!('children' in node)) return;
  node.children.forEach((child, place) => {
    if (child.type === 'html' && /^<br\s*\/?>$/iu.test(child.value)) {
      (node.children as Nodes[])[place] = { type: 'break' };
    } else {
      takeLineBreaks(child);
    }
  });
}
