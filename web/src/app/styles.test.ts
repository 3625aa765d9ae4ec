import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import postcss from 'postcss';
import { describe, expect, test } from 'vitest';
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
