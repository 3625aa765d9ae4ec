import type { Element, Nodes } from 'hast';
import { addressOf } from './copied-html';

/** Elements that begin on a line of their own, with an empty line between two of them. */
const blocks: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol blockquote pre table hr section'.split(' '),
);

/**
 * The tree of an answer as plain text: without markup, lists with dashes and numbers, the cells of a table
 * separated by tabs.
 */
export function plainOf(node: Nodes): string {
  return contentOf(node).trim();
}

function contentOf(node: Nodes): string {
  if (node.type === 'root') return flow(node.children, '\n\n');
  if (node.type === 'element') return elementAsText(node);
  return node.type === 'text' || node.type === 'raw' ? node.value.replaceAll(/[ \t]*\n[ \t]*/gu, ' ') : '';
}

/** The content of a block: its nested blocks one below the other, and the text between them as running text. */
function flow(nodes: readonly Nodes[], gap: string): string {
  const parts: string[] = [];
  let words = '';
  const endWords = (): void => {
    if (words.trim() !== '') parts.push(trimLines(words));
    words = '';
  };
  for (const node of nodes) {
    const isBlock = node.type === 'element' && blocks.has(node.tagName);
    if (isBlock) endWords();
    if (isBlock) parts.push(contentOf(node));
    else words += contentOf(node);
  }
  endWords();
  return parts.join(gap);
}

function elementAsText(element: Element): string {
  const { tagName, properties, children } = element;
  switch (tagName) {
    case 'br':
      return '\n';
    case 'hr':
      return '———';
    case 'img':
      return properties['alt'] ?? '';
    case 'input':
      return properties['checked'] === true ? '☑' : '☐';
    case 'a':
      return linkAsText(element);
    case 'pre':
      return codeOf(element).replace(/\n$/u, '');
    case 'ul':
    case 'ol':
      return listAsText(element);
    case 'table':
      return rowsOf(element).join('\n');
    case 'blockquote':
    case 'section':
      return flow(children, '\n\n');
    default:
      return trimLines(children.map(contentOf).join(''), tagName === 'p');
  }
}

/** Text without the blanks around its line breaks. */
function trimLines(words: string, ends = true): string {
  const lines = words.replaceAll(/ *\n */gu, '\n');
  return ends ? lines.trim() : lines;
}

/** The text of a link, and its address unless the text is the address. */
function linkAsText({ properties, children }: Element): string {
  const words = children.map(contentOf).join('');
  const address = addressOf(properties['href']);
  const said = address === null || address.replace(/\/$/u, '').endsWith(words.trim().replace(/\/$/u, ''));
  return said ? words : `${words} (${address})`;
}

function codeOf(node: Nodes): string {
  if ('children' in node) return node.children.map(codeOf).join('');
  return 'value' in node ? node.value : '';
}

function listAsText({ tagName, properties, children }: Element): string {
  const first = typeof properties['start'] === 'number' ? properties['start'] : 1;
  return elements(children)
    .map((item, place) => {
      const mark = tagName === 'ol' ? `${first + place}. ` : '- ';
      // Nested content of an item is below its text.
      return mark + flow(item.children, '\n').replaceAll('\n', `\n${' '.repeat(mark.length)}`);
    })
    .join('\n');
}

/** The rows of a table: a cell is one line, so that each lands in a cell where it is pasted. */
function rowsOf(element: Element): string[] {
  return elements(element.children).flatMap((child) =>
    child.tagName === 'tr'
      ? [
          elements(child.children)
            .map((cell) => flow(cell.children, ' ').replaceAll(/\s+/gu, ' '))
            .join('\t'),
        ]
      : rowsOf(child),
  );
}

function elements(nodes: readonly Nodes[]): Element[] {
  return nodes.filter((node) => node.type === 'element');
}
