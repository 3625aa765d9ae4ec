import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { expect, it } from 'vitest';
import { splitBlocks } from './split-blocks';

/** The code blocks that the parser finds in the whole text. */
function parsed(text: string): string[] {
  const found: string[] = [];
  renderToStaticMarkup(
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      components={{
        code: ({ children }) => {
          found.push(typeof children === 'string' ? children.trimEnd() : '');
          return null;
        },
      }}
    >
      {text}
    </ReactMarkdown>,
  );
  return found;
}

/** The same, if the pieces are parsed one by one. */
function pieced(text: string): string[] {
  return splitBlocks(text).flatMap((piece) =>
    piece.kind === 'prose' ? parsed(piece.text) : [piece.code.trimEnd()],
  );
}

/** Pseudo-random with a fixed seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

it('finds the code that the parser finds in the whole text', () => {
  const next = random(7);
  const one = (choices: readonly string[]): string => choices[Math.floor(next() * choices.length)] ?? '';
  const marks = ['```', '````', '~~~', '```py', '~~~ a`b', '``', '``` `', '```  '];
  const others = ['x', 'y = 1', '', '', '- a', '1. b', '> q', '# h'];
  for (let round = 0; round < 2_000; round++) {
    const lines = Array.from({ length: 2 + Math.floor(next() * 9) }, () => {
      const indent = ' '.repeat(Math.floor(next() * 5));
      return next() < 0.5 ? indent + one(marks) : one(['', '', indent]) + one(others);
    });
    const text = lines.join('\n');
    expect(pieced(text), JSON.stringify(text)).toEqual(parsed(text));
  }
});
