import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMessage, type CompiledMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';

const folder = import.meta.dirname;

function textsOf(language: string, file: string): Record<string, string> {
  return JSON.parse(readFileSync(join(folder, language, file), 'utf8')) as Record<string, string>;
}

/** The placeholders of a compiled text, also those within its plurals. */
function placeholders(message: CompiledMessage): string[] {
  return message.flatMap((part) => {
    if (typeof part === 'string') return [];
    const [name, , forms] = part;
    const inner =
      typeof forms === 'object'
        ? Object.values(forms as Record<string, CompiledMessage | string | number>).flatMap((form) =>
            Array.isArray(form) ? placeholders(form) : [],
          )
        : [];
    return [name, ...inner].filter((found) => found !== '#');
  });
}

const pages = readdirSync(join(folder, 'en'));

it('has the same pages in each language', () => {
  expect(readdirSync(join(folder, 'de')).sort()).toEqual([...pages].sort());
});

describe.each(pages)('%s', (page) => {
  const en = textsOf('en', page);
  const de = textsOf('de', page);

  it('has the same texts in each language, and none is empty', () => {
    expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
    for (const text of [...Object.values(en), ...Object.values(de)]) expect(text.trim()).not.toBe('');
  });

  it('has the same placeholders in each language', () => {
    for (const [id, text] of Object.entries(en)) {
      const names = (from: string) => [...new Set(placeholders(compileMessage(from)))].sort();
      expect([id, ...names(de[id] ?? '')]).toEqual([id, ...names(text)]);
    }
  });

  it('is loaded by the module of its name', () => {
    const name = page.slice(0, -'.json'.length);
    const module = readFileSync(join(folder, `${name}.ts`), 'utf8');
    expect(module).toContain(`catalogue('${name}'`);
    expect(module).toContain(`./en/${page}`);
  });
});
