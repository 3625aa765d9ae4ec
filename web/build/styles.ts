import postcss, { type Root } from 'postcss';
import { PurgeCSS } from 'purgecss';
import type { Plugin } from 'vite';

/**
 * Only Radix's own rules are checked, also those for screen widths (`md:rt-r-size-2`); all other classes are kept.
 */
const notRadix = /^(?!(?:[a-z]+:)?rt-)/u;

/** Radix builds these class names at run time from the values of its props, so they are not in any file. */
const composed = /^rt-(?:r-|variant-|high-contrast$)/u;

const colourOf = /\[data-(?:accent|gray)-color=['"]?([a-z]+)/u;

/** Removes rules for colours whose tokens the app does not import. */
function dropColours(css: Root): void {
  const known = new Set<string>();
  css.walkDecls(/^--[a-z]+-9$/u, ({ prop }) => void known.add(prop.slice(2, -2)));
  css.walkRules((rule) => {
    const kept = rule.selectors.filter((selector) => {
      const colour = colourOf.exec(selector)?.[1];
      return colour === undefined || known.has(colour);
    });
    if (kept.length === 0) rule.remove();
    else rule.selectors = kept;
  });
}

/** Removes the second set of colours, for wide-gamut screens: 2.7 kB of the 25 kB of the first page. */
function dropWideGamut(css: Root): void {
  css.walkAtRules(/^(?:supports|media)$/u, (rule) => {
    if (/display-p3|color-gamut/u.test(rule.params)) rule.remove();
  });
}

/**
 * Removes the rule by which the root's colour scheme depends on the theme within it (`app/use-appearance.ts` sets
 * it): with that rule, any inserted or removed element may change it, so that browsers check the root again with
 * each element.
 */
function dropWatchedRoot(css: Root): void {
  css.walkRules((rule) => {
    const kept = rule.selectors.filter((selector) => !selector.startsWith(':root:where(:has('));
    if (kept.length === 0) rule.remove();
    else rule.selectors = kept;
  });
}

/**
 * A chosen segment and any element after it: for a browser this is a rule about all elements that have a sibling
 * before them.
 */
const besideSegment = /(:where\(\.rt-SegmentedControlItem:where\([^()]*\)\))\s*\+\s*\*(?= )/u;

/**
 * Names the element's class where Radix has `*`: an inserted or removed part of a page caused the styles of all its
 * siblings to be calculated again, 1,100 to 1,400 elements of a conversation in 40 to 60 ms (docs/performance.md).
 */
function nameNeighbours(css: Root): void {
  css.walkRules((rule) => {
    rule.selectors = rule.selectors.map((selector) =>
      selector.replace(besideSegment, '$1 + :where(.rt-SegmentedControlItem)'),
    );
  });
}

/** Changes the rules that make the browser check a whole page although they concern few elements. */
export function watchLess(css: Root): void {
  dropWatchedRoot(css);
  nameNeighbours(css);
}

/**
 * Removes from the style sheets what no script of the build names: Radix Themes ships the rules of all its
 * components, for each screen width. This reduces those of the first page from 49 to 21 kB (brotli). A prop with
 * values by screen width (`{ initial, md }`) would have no rules: the app puts such differences in its own style
 * sheets.
 */
export function usedStylesOnly(): Plugin {
  return {
    name: 'used-styles-only',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const scripts = files.flatMap((file) =>
        file.type === 'chunk' ? [{ raw: file.code, extension: 'js' }] : [],
      );
      for (const file of files) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
        const css = typeof file.source === 'string' ? file.source : new TextDecoder().decode(file.source);
        if (!css.includes('.rt-')) continue;
        const root = postcss.parse(css);
        dropColours(root);
        dropWideGamut(root);
        watchLess(root);
        const raw = root.toString();
        const [purged] = await new PurgeCSS().purge({
          content: scripts,
          css: [{ raw }],
          defaultExtractor: (content) => content.match(/[\w-]+/gu) ?? [],
          safelist: { standard: [notRadix, composed] },
          // Attributes are set at run time, so only classes are checked.
          dynamicAttributes: raw.match(/(?<=\[)[\w-]+/gu) ?? [],
        });
        if (purged) file.source = purged.css;
      }
    },
  };
}
