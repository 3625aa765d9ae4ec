import type { Element, Nodes } from 'hast';
import { linkTarget } from './links';

/** Elements that documents support; of other elements only the content is kept. */
const kept: ReadonlySet<string> = new Set(
  `p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code strong em del table thead tbody tr th td`.split(' '),
);
const lone: ReadonlySet<string> = new Set(['br', 'hr']);

/**
 * A tree of an answer as HTML. Text is escaped; of the attributes, only the address of a link, the alignment of a
 * cell and the start of a list are kept.
 */
export function htmlOf(node: Nodes): string {
  switch (node.type) {
    case 'root':
      return node.children.map(htmlOf).join('');
    case 'element':
      return elementAsHtml(node);
    case 'text':
    case 'raw':
      return textAsHtml(node.value);
    default:
      return '';
  }
}

/** Escapes a plain text for HTML. */
export function textAsHtml(text: string): string {
  const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/gu, (mark) => named[mark] ?? mark);
}

function elementAsHtml({ tagName, properties, children }: Element): string {
  const inside = children.map(htmlOf).join('');
  if (lone.has(tagName)) return `<${tagName}>`;
  if (tagName === 'img') return textAsHtml(properties['alt'] ?? '');
  if (tagName === 'input') return properties['checked'] === true ? '☑' : '☐';
  if (tagName === 'a') {
    const address = addressOf(properties['href']);
    return address === null ? inside : `<a href="${textAsHtml(address)}">${inside}</a>`;
  }
  if (!kept.has(tagName)) return inside;
  const { align, start } = properties;
  const side = typeof align === 'string' ? ` style="text-align: ${textAsHtml(align)}"` : '';
  const from = tagName === 'ol' && typeof start === 'number' ? ` start="${start}"` : '';
  return `<${tagName}${side}${from}>${inside}</${tagName}>`;
}

/** The address of a link for use in another document; `null` if it may not be followed here either. */
export function addressOf(href: unknown): string | null {
  const target = linkTarget(typeof href === 'string' ? href : undefined);
  if (target.kind === 'foreign') return target.url;
  return target.kind === 'own' ? window.location.origin + target.path : null;
}
