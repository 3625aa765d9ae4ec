import type { Page } from 'playwright-core';

/** What a screen reader gets for one element of the page. */
interface AxNode {
  role: string;
  name: string;
  /** The level of a heading. */
  level: number;
  /** The indexes of the elements around it that have one of the roles of `places`, the innermost first. */
  within: readonly number[];
}

interface CdpNode {
  nodeId: string;
  parentId?: string;
  childIds?: string[];
  ignored: boolean;
  role?: { value?: string };
  name?: { value?: string };
  properties?: { name: string; value: { value?: unknown } }[];
}

const controls: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'searchbox',
  'slider',
  'switch',
  'tab',
  'textbox',
]);

/**
 * The roles within which names of controls must be unique: two with the same name in one of these cannot be
 * distinguished.
 */
const places: ReadonlySet<string> = new Set([
  'alertdialog',
  'article',
  'banner',
  'complementary',
  'contentinfo',
  'dialog',
  'figure',
  'form',
  'grid',
  'group',
  'list',
  'listitem',
  'main',
  'menu',
  'navigation',
  'radiogroup',
  'region',
  'row',
  'tablist',
  'tabpanel',
]);

const landmarks: ReadonlySet<string> = new Set([
  'banner',
  'complementary',
  'contentinfo',
  'form',
  'main',
  'navigation',
  'region',
  'search',
]);

/** The browser lists the nodes level by level; screen readers read them in document order. */
function inOrder(nodes: readonly CdpNode[]): CdpNode[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const from = (node: CdpNode): CdpNode[] => [
    node,
    ...(node.childIds ?? []).flatMap((id) => {
      const child = byId.get(id);
      return child === undefined ? [] : from(child);
    }),
  ];
  return nodes.filter(({ parentId }) => parentId === undefined).flatMap(from);
}

/** The page as the browser exposes it to assistive technology, in reading order. */
async function read(page: Page): Promise<AxNode[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes: all } = (await session.send('Accessibility.getFullAXTree')) as unknown as {
    nodes: CdpNode[];
  };
  const nodes = inOrder(all);
  await session.detach();
  const byId = new Map(nodes.map((node, place) => [node.nodeId, { node, place }]));
  const roleOf = (node: CdpNode): string => node.role?.value ?? '';
  return nodes.map((node) => {
    const within: number[] = [];
    for (let at = byId.get(node.parentId ?? ''); at; at = byId.get(at.node.parentId ?? '')) {
      if (!at.node.ignored && places.has(roleOf(at.node))) within.push(at.place);
    }
    const level = node.properties?.find(({ name }) => name === 'level')?.value.value;
    return {
      role: node.ignored ? 'ignored' : roleOf(node),
      name: (node.name?.value ?? '').trim(),
      level: Number(level ?? 0),
      within,
    };
  });
}

/**
 * Problems for users of screen readers: controls without a name, or with the same name in one place; headings that
 * skip a level; parts of the page that cannot be distinguished. Empty if there are none.
 */
export async function unclear(page: Page, what: string): Promise<string[]> {
  const nodes = await read(page);
  const found: string[] = [];
  const seen = new Map<string, number>();
  // A list next to the page may come before its heading.
  let level = 1;
  for (const { role, name, level: own, within } of nodes) {
    if (controls.has(role)) {
      if (name === '') found.push(`${role} without a name in ${where(nodes, within)}`);
      const key = `${String(within[0])} ${role} ${name}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
      if (seen.get(key) === 2) found.push(`two of ${role} “${name}” in ${where(nodes, within)}`);
    }
    if (role === 'heading') {
      if (name === '') found.push(`a heading of level ${own} without words`);
      if (own > level + 1) found.push(`heading “${name}” of level ${own} after level ${level}`);
      level = own;
    }
    if (landmarks.has(role)) {
      const key = `landmark ${role} ${name}`;
      if (seen.has(key)) found.push(`two of ${role} “${name}”`);
      seen.set(key, 1);
    }
  }
  if (!nodes.some(({ role }) => role === 'main' || role === 'dialog' || role === 'alertdialog'))
    found.push('no main part');
  return found.map((fault) => `${what}: ${fault}`);
}

function where(nodes: readonly AxNode[], within: readonly number[]): string {
  const place = nodes[within[0] ?? -1];
  return place === undefined ? 'the page' : `${place.role} “${place.name}”`;
}
