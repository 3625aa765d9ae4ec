import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import postcss from 'postcss';
import { describe, expect, test } from 'vitest';
import { contrast, laidOver } from '@/testing/contrast';
import { watchLess } from '../../build/styles';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Selectors that make browsers check every change of a page: a position among siblings, or a neighbour, without a
 * type; any descendant of such a position; and `:has()` with an attribute that all elements have.
 */
const watchful: readonly RegExp[] = [
  /(?:^|[\s>+~,])\*?:(?:not\([^)]*:)?(?:first|last|nth|only)-/u,
  /[+~]\s*\*/u,
  /:(?:first|last|nth|only)-[^\s>+~,]*\s*[\s>]\s*(?:\*|:(?!is|where))/u,
  /:has\([^)]*\[style/u,
];

function watchfulOf(css: postcss.Root): string[] {
  const found: string[] = [];
  css.walkRules((rule) => {
    found.push(...rule.selectors.filter((selector) => watchful.some((one) => one.test(selector))));
  });
  return found;
}

describe('style sheets', () => {
  test('name the kind of what they say by its place, so that scrolling recalculates no styles', () => {
    const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((f) =>
      f.endsWith('.css'),
    );
    expect(files.length).toBeGreaterThan(50);
    const found = files.flatMap((file) =>
      watchfulOf(postcss.parse(readFileSync(path.join(root, 'src', file), 'utf8'))).map(
        (one) => `${file}: ${one}`,
      ),
    );
    expect(found).toEqual([]);
  });

  test('of the design system name it too, once they are built', () => {
    const theirs = ['components.css', 'tokens/base.css'].map((file) =>
      readFileSync(path.join(root, 'node_modules/@radix-ui/themes', file), 'utf8'),
    );
    const css = postcss.parse(theirs.join('\n'));
    expect(watchfulOf(css)).toEqual([expect.stringContaining('+ *')]);
    expect(css.toString()).toContain(':root:where(:has(');
    watchLess(css);
    expect(watchfulOf(css)).toEqual([]);
    expect(css.toString()).not.toContain(':root:where(:has(');
    expect(css.toString()).toContain('+ :where(.rt-SegmentedControlItem) .rt-SegmentedControlItemSeparator');
  });
});

const own = readFileSync(path.join(root, 'src/app/styles.css'), 'utf8');

/** The values of a theme: Radix's, and those that the app puts in their place. Wide-gamut ones are about the same. */
function valuesOf(color: string, theme: 'light' | 'dark'): (name: string) => string {
  const file = path.join(root, 'node_modules/@radix-ui/themes/tokens/colors', `${color}.css`);
  const values = new Map<string, string>();
  for (const css of [readFileSync(file, 'utf8'), own]) {
    postcss.parse(css).walkDecls(/^--/u, ({ parent, prop, value }) => {
      const selectors = parent?.type === 'rule' ? parent.selectors : [];
      const ofTheme = selectors.some((one) => one === `.${theme}` || one === `.radix-themes.${theme}`);
      if (ofTheme && value.startsWith('#')) values.set(prop, value);
    });
  }
  return (name) => values.get(`--${name}`) ?? `no --${name}`;
}

describe.each(['light', 'dark'] as const)('text of the %s theme', (theme) => {
  const slate = valuesOf('slate', theme);
  // The page or a card, the sidebar, and a row that is pointed at.
  const surfaces = [theme === 'light' ? '#ffffff' : '#18191b', slate('slate-2'), slate('slate-3')];

  test.each(['green', 'amber', 'blue', 'red', 'teal'])('in %s is readable on its own tint', (color) => {
    const value = valuesOf(color, theme);
    const found = surfaces.flatMap((surface) =>
      [`${color}-11`, `${color}-a11`].map((text) => {
        const tint = laidOver(value(`${color}-a3`), surface);
        return contrast(laidOver(value(text), tint), tint);
      }),
    );
    expect(found).toHaveLength(6);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(4.5);
  });
});
