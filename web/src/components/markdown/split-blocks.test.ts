import { describe, expect, it } from 'vitest';
import { answerMarkdown, longAnswer } from '../../testing/fixtures/components';
import { definitionsOf, withDefinitions } from './definitions';
import { completeTail } from './complete-tail';
import { type MarkdownPiece, splitBlocks } from './split-blocks';
import { isTame } from './tame';

function prose(...texts: string[]): MarkdownPiece[] {
  return texts.map((text) => ({ kind: 'prose', text }));
}

describe('splitBlocks', () => {
  it('splits at blank lines', () => {
    expect(splitBlocks('# a\n\nb\nc\n\n\nd')).toEqual(prose('# a', 'b\nc', 'd'));
  });

  it('keeps lists, their continuations and their gaps together', () => {
    const list = '- a\n\n  more of a\n\n- b\n    - c';
    expect(splitBlocks(`before\n\n${list}\n\nafter`)).toEqual(prose('before', list, 'after'));
  });

  it('takes fenced code out, whatever is in it', () => {
    expect(splitBlocks('a\n```py\nx = 1\n\n# no heading\n``\n```\nb')).toEqual([
      { kind: 'prose', text: 'a' },
      { kind: 'code', code: 'x = 1\n\n# no heading\n``', language: 'py', open: false },
      { kind: 'prose', text: 'b' },
    ]);
    expect(splitBlocks('~~~~\n```\n~~~\n~~~~')).toEqual([
      { kind: 'code', code: '```\n~~~', language: '', open: false },
    ]);
  });

  it('knows code whose end has not arrived', () => {
    expect(splitBlocks('```sql\nSELECT')).toEqual([
      { kind: 'code', code: 'SELECT', language: 'sql', open: true },
    ]);
  });

  it('ends code only where its marks are, as CommonMark 4.5 has it', () => {
    const code = (text: string, language = ''): MarkdownPiece => ({
      kind: 'code',
      code: text,
      language,
      open: false,
    });
    // Marks in a docstring, indented by more than three spaces, are part of the code.
    const docstring = 'def f():\n    """\n    ```\n    f()\n    ```\n    """';
    expect(splitBlocks(`\`\`\`python\n${docstring}\n\`\`\`\nafter`)).toEqual([
      code(docstring, 'python'),
      ...prose('after'),
    ]);
    expect(splitBlocks('```\na\n   ```')).toEqual([code('a')]);
    expect(splitBlocks('```\na\n``` b\n```')).toEqual([code('a\n``` b')]);
    expect(splitBlocks('```\na\n~~~\n```')).toEqual([code('a\n~~~')]);
    expect(splitBlocks('  ```\n  a\n    b\n c\n  ```')).toEqual([code('a\n  b\nc')]);
    expect(splitBlocks('~~~ a`b\nx\n~~~')).toEqual([code('x', 'a`b')]);
    expect(splitBlocks('``` a`b')).toEqual(prose('``` a`b'));
    expect(splitBlocks('    ```\n    a')).toEqual(prose('    ```\n    a'));
  });

  it.each([
    ['- a\n\n ```\n b\n\nc\n ```', '- a'],
    ['1. a\n  ```\n  b\n\n  c\n  ```', '1. a'],
  ])('takes code out that is indented, but not as far as the list item above it: %j', (text, item) => {
    const [first, second] = splitBlocks(text);
    expect(first).toEqual({ kind: 'prose', text: item });
    expect(second).toMatchObject({ kind: 'code', open: false });
  });

  it.each([
    '1. a\n   - b\n\n   ```\n   x\n   ```',
    '-\ta\n\n    ```\n    x\n    ```',
    '- a\nlazy\n  ```\n  x\n  ```',
  ])('leaves code to the list item that it is indented for: %j', (text) =>
    expect(splitBlocks(text)).toEqual(prose(text)),
  );

  it('leaves code inside a list to the list', () => {
    const list = '- a\n\n  ```py\n  x\n  ```';
    expect(splitBlocks(list)).toEqual(prose(list));
  });

  it('cuts a very long list between items', () => {
    const list = Array.from({ length: 300 }, (_, index) => `${index + 1}. item number ${index}`).join('\n');
    const pieces = splitBlocks(list);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.map((piece) => (piece.kind === 'prose' ? piece.text : '')).join('\n')).toBe(list);
  });

  it('changes only its last piece when text is appended', () => {
    const text = `${answerMarkdown}\n\n${longAnswer(3000)}`;
    let before: MarkdownPiece[] = [];
    for (let end = 1; end <= text.length; end += 1) {
      const pieces = splitBlocks(text.slice(0, end));
      // A fence or list mark may first look like prose, so the last piece may change; the pieces before it may not.
      expect(pieces.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
      before = pieces;
    }
  });

  it('splits 300 kB in a time that does not grow with its square', () => {
    const start = performance.now();
    splitBlocks('a\n\n'.repeat(100_000));
    splitBlocks('```\n'.repeat(100_000));
    splitBlocks('>'.repeat(300_000));
    // It takes about 50 ms; it would take minutes if each piece examined all of them.
    expect(performance.now() - start).toBeLessThan(30_000);
  });
});

describe('isTame', () => {
  it('lets ordinary answers through', () => {
    for (const piece of splitBlocks(`${answerMarkdown}\n\n${longAnswer(20_000)}`)) {
      if (piece.kind === 'prose') expect(isTame(piece.text)).toBe(true);
    }
    expect(isTame('word '.repeat(2000))).toBe(true);
    expect(isTame(`| a | b | c |\n|--|--|--|\n${'| 1 | 2 | 3 |\n'.repeat(200)}`)).toBe(true);
  });

  it.each([
    ['quotes', '>'.repeat(100_000)],
    ['spaced quotes', '> '.repeat(100)],
    ['lists', '- '.repeat(5000)],
    ['indented lists', Array.from({ length: 100 }, (_, level) => `${'  '.repeat(level)}- x`).join('\n')],
    ['brackets', '['.repeat(100_000)],
    ['images', '![a]('.repeat(5000)],
    ['stars', '*a '.repeat(5000)],
    ['a run of stars', '*'.repeat(5000)],
    ['mixed emphasis', '**a *b _c __d '.repeat(1000)],
    ['tags', '<a '.repeat(5000)],
    ['backticks', '`a'.repeat(5000)],
    ['pipes', '|'.repeat(5000)],
    ['lines', 'a\n'.repeat(5000)],
    ['sheer length', 'word '.repeat(5000)],
  ])('I02: refuses thousands of %s', (_, text) => {
    expect(isTame(text)).toBe(false);
  });
});

describe('completeTail', () => {
  it.each([
    ['**bold wo', '**bold wo**'],
    ['**bold**', '**bold**'],
    ['**bold*', '**bold**'],
    ['say **', 'say **'.slice(0, 4)],
    ['run `SELECT', 'run `SELECT`'],
    ['see [the wiki](https://wiki.exa', 'see the wiki'],
    ['see [the wi', 'see the wi'],
    ['![pic](https://x', 'pic'],
    ['plain text', 'plain text'],
    ['a *b* c', 'a *b* c'],
    ['first **one\n\nsecond', 'first **one\n\nsecond'],
  ])('closes %s', (text, completed) => {
    expect(completeTail(text)).toBe(completed);
  });

  it('draws whole lines only once the piece is long', () => {
    const rows = '| a | b |\n'.repeat(300);
    expect(completeTail(`${rows}| half a r`)).toBe(rows.trimEnd());
  });
});

describe('definitions', () => {
  it('are found outside code and given to the pieces that refer to something', () => {
    const pieces = splitBlocks(
      'See [it][a].\n\n```\n[b]: https://no.example\n```\n\n[a]: https://a.example "Title"',
    );
    const definitions = definitionsOf(pieces);
    expect(definitions).toBe('[a]: https://a.example "Title"');
    expect(withDefinitions('See [it][a].', definitions)).toContain('https://a.example');
    expect(withDefinitions('Nothing [here](x).', definitions)).toBe('Nothing [here](x).');
  });
});
