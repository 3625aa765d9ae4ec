import { describe, expect, it } from 'vitest';
import { editorLanguages } from '@/components/code-editor/editor-languages';
import { highlight } from './highlight';

const samples: Readonly<Record<string, string>> = {
  bash: 'if true; then echo "x"; fi',
  html: '<p class="x">y</p>',
  java: 'class A { int b = 1; }',
  javascript: 'const a = 1;',
  json: '{"a": 1}',
  markdown: '# A heading',
  python: 'def a(): return 1',
  r: 'f <- function(x) x + 1',
  sql: 'SELECT 1 FROM a',
  typescript: 'const a: number = 1;',
  xml: '<a b="c"/>',
  yaml: 'a: 1',
};

describe('highlight', () => {
  it.each(editorLanguages)(
    'colours %s, which the editor offers too, and changes no character',
    (language) => {
      const code = samples[language] ?? '';
      const tokens = highlight(code, language);
      expect(tokens.some(({ kind }) => kind !== null)).toBe(true);
      expect(tokens.map(({ text }) => text).join('')).toBe(code);
    },
  );

  it('leaves a language that it does not know plain', () => {
    expect(highlight('a b', 'cobol')).toEqual([{ kind: null, text: 'a b' }]);
  });
});
