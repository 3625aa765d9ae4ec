import { isFields, list, masked, matching, number, word, type Keep } from './allow';

/** The kinds of nodes in a recording (rrweb's NodeType). */
const kinds = { document: 0, documentType: 1, element: 2, text: 3 } as const;

/** A state that style sheets use in selectors: `open`, `true`, `start`. */
const state = matching(/^[a-z0-9-]{0,16}$/iu);
const pixels = matching(/^[\d.]+(?:px)?$/u);

/** Only positions, sizes and visibility: a size in percent may show a value of the data. */
const layout =
  /^(?:position|inset|top|right|bottom|left|(?:min-|max-)?(?:width|height)|transform|translate|display|overflow(?:-[xy])?|visibility|opacity|z-index|(?:margin|padding)(?:-\w+)?|pointer-events|flex)$/u;
const size = /^(?:-?[\d.]+(?:px|em|rem|vh|vw)?|100%|[a-z-]+|translate(?:3d|X|Y)?\([-\d.px, ]+\)|none)$/iu;

function isLayout(property: string, value: string): boolean {
  return layout.test(property) && value.split(/\s+(?![^(]*\))/u).every((part) => size.test(part));
}

const styleText = (value: string): string =>
  value
    .split(';')
    .map((declaration) => declaration.split(':').map((part) => part.trim()))
    .filter(([property = '', is = '', ...more]) => more.length === 0 && isLayout(property, is))
    .map((parts) => parts.join(': '))
    .join('; ');

/** A style attribute, or, if the recorder sends a difference, the changed properties. */
const style: Keep = (value) => {
  if (typeof value === 'string') return styleText(value);
  if (!isFields(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).filter(([property, is]) => {
      const text: unknown = Array.isArray(is) ? is[0] : is;
      return text === false ? layout.test(property) : typeof text === 'string' && isLayout(property, text);
    }),
  );
};

/** The names of our style sheets (`_card_10p1g_89`), of the design system and its themes, and of the code editor. */
const className = /^(?:_[\w-]+_[a-z0-9]{4,8}_\d+|(?:rt|radix|hljs|cm|lucide)-[\w:.-]{1,60}|light|dark)$/iu;

/** Any other class name may contain text of an answer, for example the language of a piece of code. */
const classes: Keep = (value) =>
  typeof value === 'string'
    ? value
        .split(/\s+/u)
        .filter((name) => className.test(name))
        .join(' ')
    : undefined;

/**
 * Style sheets are those of the build and the libraries; of the addresses in them only files of the build are kept.
 */
export const css: Keep = (value) =>
  typeof value === 'string'
    ? value.replaceAll(/url\([^)]*\)/gu, (url) =>
        /^url\("?[^"?#]*\/assets\/[\w.-]+"?\)$/u.test(url) ? url : 'none',
      )
    : undefined;

const states = [
  ...['role', 'type', 'dir', 'hidden', 'open', 'disabled', 'checked', 'readonly', 'colspan', 'rowspan'],
  ...[
    'expanded',
    'selected',
    'checked',
    'pressed',
    'hidden',
    'disabled',
    'busy',
    'current',
    'modal',
    'orientation',
  ].map((name) => `aria-${name}`),
  ...[
    'state',
    'side',
    'align',
    'orientation',
    'collapsed',
    'open',
    'selected',
    'highlighted',
    'disabled',
    'first',
  ].map((name) => `data-${name}`),
  ...['narrow', 'fixed', 'growing', 'beside', 'accent-color', 'gray-color', 'radius', 'scaling'].map(
    (name) => `data-${name}`,
  ),
  ...['panel-background', 'has-background', 'is-root-theme'].map((name) => `data-${name}`),
];

const attributeTable: ReadonlyMap<string, Keep> = new Map<string, Keep>([
  ...states.map((name): [string, Keep] => [name, (value) => number(value) ?? state(value)]),
  ...['placeholder', 'title', 'alt', 'value', 'aria-label'].map((name): [string, Keep] => [name, masked]),
  ...['width', 'height', 'rr_width', 'rr_height'].map((name): [string, Keep] => [name, pixels]),
  ['rr_scrollLeft', number],
  ['rr_scrollTop', number],
  ['class', classes],
  ['style', style],
  ['_cssText', css],
]);

/**
 * Attributes for the look of a node, and texts for screen readers as stars. Links, ids and all other attributes are
 * not sent.
 */
export const safeAttributes: Keep = (value) =>
  isFields(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, one]) => {
          const kept = one === null && attributeTable.has(name) ? null : attributeTable.get(name)?.(one);
          return kept === undefined ? [] : [[name, kept]];
        }),
      )
    : {};

const children: Keep = (value) => list(safeNode)(value) ?? [];

/** A node of the page with all below it: its kind and look, its texts as stars. */
export const safeNode: Keep = (value) => {
  if (!isFields(value)) return undefined;
  const place = Object.fromEntries(
    ['type', 'id', 'rootId', 'needBlock', 'isShadow', 'isShadowHost'].flatMap((name) => {
      const kept = number(value[name]);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
  switch (value['type']) {
    case kinds.document:
      return { ...place, childNodes: children(value['childNodes']) };
    case kinds.documentType:
      return { ...place, name: 'html', publicId: '', systemId: '' };
    case kinds.element:
      return { ...place, ...element(value) };
    case kinds.text:
      return value['isStyle'] === true
        ? { ...place, isStyle: true, textContent: css(value['textContent']) }
        : { ...place, textContent: masked(value['textContent']) };
    default:
      return { ...place, textContent: '' };
  }
};

/** Drawings are left empty: the shapes of a chart show its numbers. */
function element(value: Readonly<Record<string, unknown>>): object {
  const tagName = word(value['tagName']) ?? 'div';
  if (value['isSVG'] !== true) {
    return {
      tagName,
      attributes: safeAttributes(value['attributes']),
      childNodes: children(value['childNodes']),
    };
  }
  return {
    tagName,
    isSVG: true,
    attributes: tagName === 'svg' ? safeAttributes(value['attributes']) : {},
    childNodes: [],
  };
}
