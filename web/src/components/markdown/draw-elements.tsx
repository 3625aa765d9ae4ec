import type { Element, Nodes, Properties } from 'hast';
import { createElement, Fragment, type ReactNode } from 'react';

/** The props of an element of an answer. */
export interface ElementProps {
  children?: ReactNode;
  href?: string;
  src?: string;
  alt?: string;
}

/** Renderers for elements that need more than their tag name. */
export type MarkdownElements = Readonly<Record<string, (props: ElementProps) => ReactNode>>;

interface Drawing {
  elements: MarkdownElements;
  /** Transforms an address; empty for one that must not be followed. */
  urlTransform: (url: string) => string;
}

/** React allows no text within these elements, but the Markdown parser puts line ends there. */
const noTextIn: ReadonlySet<string> = new Set(['table', 'thead', 'tbody', 'tr']);
const addresses: ReadonlySet<string> = new Set(['href', 'src']);
/** Attributes that have a different name in React. */
const reactNames: Readonly<Record<string, string>> = {
  ariaDescribedBy: 'aria-describedby',
  ariaLabel: 'aria-label',
};

/**
 * Renders a tree of elements. It can only contain elements that the Markdown parser creates: HTML in the answer is
 * a `raw` node, and becomes text.
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
