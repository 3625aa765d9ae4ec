import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';
import postcss from 'postcss';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const all = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => file.split(sep).join('/'));
const sheets = all.filter((file) => file.endsWith('.module.css'));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const code = all.filter((file) => /[.]tsx?$/u.test(file)).map((file) => ({ file, text: read(file) }));

/** The classes that a style sheet's selectors name; those in `:global()` do not belong to it. */
function namedIn(css: string): Set<string> {
  const names = new Set<string>();
  postcss.parse(css).walkRules(({ selector }) => {
    for (const [, name] of selector.replace(/:global\([^)]*\)/gu, '').matchAll(/[.]([A-Za-z_][\w-]*)/gu)) {
      names.add(name!);
    }
  });
  return names;
}

/** The classes that the code uses of a style sheet; `null` if it selects them by a computed name. */
function takenFrom(sheet: string): Set<string> | null {
  const taken = new Set<string>();
  for (const { file, text } of code) {
    for (const [, name, from] of text.matchAll(/^import (\w+) from '([^']+[.]module[.]css)';$/gmu)) {
      const path = from!.startsWith('@/') ? from!.slice(2) : normalize(join(file, '..', from!));
      if (path.split(sep).join('/') !== sheet) continue;
      if (new RegExp(`\\b${name}\\[`, 'u').test(text)) return null;
      for (const [, one] of text.matchAll(new RegExp(`\\b${name}[.](\\w+)`, 'gu'))) {
        // The import itself ends in `.module.css`, which may begin with the same word.
        if (one !== 'module') taken.add(one!);
      }
    }
  }
  return taken;
}

describe('a style sheet', () => {
  it.each(sheets)('%s has the classes that are taken from it, and no others', (sheet) => {
    const taken = takenFrom(sheet);
    const named = namedIn(read(sheet));
    if (taken === null) expect(named.size).toBeGreaterThan(0);
    else expect([...named].sort()).toEqual([...taken].sort());
  });

  // A selector without a class of the sheet would apply to the whole page: one of `[data-highlighted]` once put the
  // ring of a linked message around each item of each menu.
  it.each(sheets)('%s styles nothing but what has one of its classes', (sheet) => {
    const everywhere: string[] = [];
    postcss.parse(read(sheet)).walkRules((rule) => {
      const parent = rule.parent;
      if (parent?.type === 'rule' || (parent?.type === 'atrule' && parent.name.endsWith('keyframes'))) return;
      everywhere.push(...rule.selectors.filter((one) => namedIn(`${one} {}`).size === 0));
    });
    expect(everywhere).toEqual([]);
  });
});
