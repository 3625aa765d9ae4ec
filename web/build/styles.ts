import postcss, { type Root } from 'postcss';
import { PurgeCSS } from 'purgecss';
import type { Plugin } from 'vite';

/** Only Radix's own rules are judged, also those for widths of screen (`md:rt-r-size-2`); all other classes stay. */
const notRadix = /^(?!(?:[a-z]+:)?rt-)/u;

/** Radix puts these together while it draws: the values of its props, which no file spells out. */
const composed = /^rt-(?:r-|variant-|high-contrast$)/u;

const colourOf = /\[data-(?:accent|gray)-color=['"]?([a-z]+)/u;

/** Takes out what is said of colours whose own tokens the app does not import. */
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

/** Takes out the second set of colours for screens of wide gamut: 2.7 kB of a first page that has 25. */
function dropWideGamut(css: Root): void {
  css.walkAtRules(/^(?:supports|media)$/u, (rule) => {
    if (/display-p3|color-gamut/u.test(rule.params)) rule.remove();
  });
}

/**
 * Takes out what makes the root's colour scheme hang on the theme within it (`app/use-appearance.ts` sets it): by that
 * rule whatever comes or goes on a page may change it, so that browsers look at the root again with each element.
 */
function dropWatchedRoot(css: Root): void {
  css.walkRules((rule) => {
    const kept = rule.selectors.filter((selector) => !selector.startsWith(':root:where(:has('));
    if (kept.length === 0) rule.remove();
    else rule.selectors = kept;
  });
}

/** A chosen segment and "anything" beside it: for a browser a rule about all that stands beside something. */
const besideSegment = /(:where\(\.rt-SegmentedControlItem:where\([^()]*\)\))\s*\+\s*\*(?= )/u;

/**
 * Says the kind of element where Radix says "any": a part of a page that came or went had the styles of all that is
 * beside it calculated again, 1,100 to 1,400 elements of a conversation in 40 to 60 ms (docs/performance.md).
 */
function nameNeighbours(css: Root): void {
  css.walkRules((rule) => {
    rule.selectors = rule.selectors.map((selector) =>
      selector.replace(besideSegment, '$1 + :where(.rt-SegmentedControlItem)'),
    );
  });
}

/** Takes out what has the browser watch all of a page for rules that concern little of it. */
export function watchLess(css: Root): void {
  dropWatchedRoot(css);
  nameNeighbours(css);
}

/**
 * Leaves out of the style sheets what no script of the build names: Radix Themes ships the rules of all its parts,
 * for each width of screen. It brings the first page's from 49 to 21 kB (brotli). A prop that differs by width of
 * screen (`{ initial, md }`) would find no rules: the app writes such differences in its own style sheets.
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
          // Running code sets attributes; classes alone are judged.
          dynamicAttributes: raw.match(/(?<=\[)[\w-]+/gu) ?? [],
        });
        if (purged) file.source = purged.css;
      }
    },
  };
}
