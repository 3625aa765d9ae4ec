import type { Element, Nodes, Properties } from 'hast';
import { createElement, Fragment, type ReactNode } from 'react';

/** What an element of an answer may be given. */
export interface ElementProps {
  children?: ReactNode;
  href?: string;
  src?: string;
  alt?: string;
}

/** How elements are drawn that have more to them than their name. */
export type MarkdownElements = Readonly<Record<string, (props: ElementProps) => ReactNode>>;

interface Drawing {
  elements: MarkdownElements;
  /** What becomes of an address; empty for one that leads nowhere. */
  urlTransform: (url: string) => string;
}

/** Within these React wants no text, and the reader of Markdown puts line ends there. */
const noTextIn: ReadonlySet<string> = new Set(['table', 'thead', 'tbody', 'tr']);
const addresses: ReadonlySet<string> = new Set(['href', 'src']);
/** Attributes whose name React writes otherwise. */
const reactNames: Readonly<Record<string, string>> = {
  ariaDescribedBy: 'aria-describedby',
  ariaLabel: 'aria-label',
};

/**
 * Draws a tree of elements. Only elements that the reader of Markdown makes can be in it: whatever was written as HTML
 * is a `raw` node, and becomes text.
 */
export function drawElements(node: Nodes, drawing: Drawing, key?: number): ReactNode {
  switch (node.type) {
    case 'root':
      return createElement(Fragment, { key }, ...drawAll(node.children, drawing));
    case 'element':
      return drawElement(node, drawing, key);
    case 'text':
    case 'raw':
      return node.value;
    default:
      return null;
  }
}

function drawAll(nodes: readonly Nodes[], drawing: Drawing): ReactNode[] {
  return nodes.map((node, place) => drawElements(node, drawing, place));
}

function drawElement({ tagName, properties, children }: Element, drawing: Drawing, key?: number): ReactNode {
  const drawn = noTextIn.has(tagName) ? children.filter(({ type }) => type === 'element') : children;
  const own = Object.hasOwn(drawing.elements, tagName) ? drawing.elements[tagName] : undefined;
  return createElement(own ?? tagName, { key, ...propsOf(properties, drawing) }, ...drawAll(drawn, drawing));
}

function propsOf(properties: Properties, { urlTransform }: Drawing): Record<string, unknown> {
  const props: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name === 'align') props['style'] = { textAlign: value };
    else if (addresses.has(name)) props[name] = urlTransform(String(value));
    else props[reactName(name)] = Array.isArray(value) ? value.join(' ') : value;
  }
  return props;
}

function reactName(name: string): string {
  if (/^data[A-Z]/u.test(name)) return name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
  return Object.hasOwn(reactNames, name) ? (reactNames[name] ?? name) : name;
}
