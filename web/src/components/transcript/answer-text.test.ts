import { describe, expect, it } from 'vitest';
import { figurePlace } from '@/components/markdown/figure-links';
import { answerText, hasFirstSentence, replacementFor } from './answer-text';
import { markFigures } from './figures';
import type { Figure, TranscriptMessage } from './message';

function answer(text: string, changes: Partial<TranscriptMessage> = {}): TranscriptMessage {
  return {
    id: 'a',
    role: 'assistant',
    text,
    status: 'complete',
    createdAt: '2026-11-20T08:00:00.000Z',
    displayObjects: [],
    ...changes,
  };
}

const bytes = (text: string) => new TextEncoder().encode(text).length;

function figure(text: string, number: string, row = 0): Figure {
  const at = text.indexOf(number);
  return {
    start: bytes(text.slice(0, at)),
    end: bytes(text.slice(0, at + number.length)),
    object: 'o',
    row,
    column: 1,
  };
}

describe('answerText', () => {
  it('leads with the first paragraph', () => {
    expect(answerText(answer('Nord leads.\n\nNext is Süd.\n\n- one'))).toEqual({
      heading: '',
      lead: 'Nord leads.',
      rest: 'Next is Süd.\n\n- one',
      caveats: '',
    });
  });

  it('is all lead when there is one paragraph', () => {
    expect(answerText(answer('Nord leads.\nSüd follows.')).lead).toBe('Nord leads.\nSüd follows.');
  });

  it('cuts no code block', () => {
    const code = '```\none\n\ntwo\n```';
    expect(answerText(answer(code))).toMatchObject({ lead: '', rest: code });
    expect(answerText(answer(`So:\n${code}`))).toMatchObject({ lead: 'So:', rest: code });
  });

  it('takes the name of a step of a blueprint for its heading', () => {
    expect(answerText(answer('**Step 1 of 2: Sums**\n\nNord leads.', { planStep: 1 }))).toMatchObject({
      heading: '**Step 1 of 2: Sums**',
      lead: 'Nord leads.',
    });
  });

  it('keeps remarks apart, counted in bytes', () => {
    const said = 'Süd führt.\n\n';
    expect(answerText(answer(`${said}59 % are empty.`, { caveatsAt: bytes(said) }))).toMatchObject({
      lead: 'Süd führt.',
      caveats: '59 % are empty.',
    });
  });

  it('makes links of the numbers of remarks, too', () => {
    const said = 'Süd führt mit 12.\n\n';
    const text = `${said}Größe fehlt in 4 von 60.`;
    const figures = [figure(text, '12'), figure(text, '4'), figure(text, '60')];
    expect(answerText(answer(text, { caveatsAt: bytes(said), figures }))).toMatchObject({
      lead: 'Süd führt mit [12](#figure-0).',
      caveats: 'Größe fehlt in [4](#figure-1) von [60](#figure-2).',
    });
  });
});

describe('replacementFor', () => {
  const summary = (text: string): TranscriptMessage => ({ ...answer(text), role: 'summary' });

  it.each([
    ['Süd leads, 12.', '**Süd** leads, **12**. North follows.', '**Süd** leads, **12**.'],
    ['Süd leads with 12', '**Süd** leads with **12**', '**Süd** leads with **12**'],
    ['Süd leads. In short.', '**Süd** leads. North follows.', '**Süd** leads. In short.'],
    ['Südwest leads.', '**Süd** leads.', '**Süd**west leads.'],
    ['Süd leads.', '**Südwest** leads.', 'Süd leads.'],
    ['**Sum** of it', 'Sum of **it**', '**Sum** of it'],
    ['Quite another text.', 'Süd leads.', 'Quite another text.'],
  ])('emphasises %j as %j does', (text, said, expected) => {
    expect(replacementFor(summary(text), [answer(said)]).text).toBe(expected);
  });

  it('ends with the remarks of its answers, each once, counted in bytes', () => {
    const said = 'Süd leads.\n\n';
    const text = `${said}59 % are empty.`;
    const one = answer(text, { caveatsAt: bytes(said), figures: [figure(text, '59')] });
    const other = answer(`${said}2026 is not over.`, { caveatsAt: bytes(said) });
    const standing = replacementFor(summary('Süd führt.'), [one, one, other]);
    expect(answerText(standing)).toMatchObject({
      lead: 'Süd führt.',
      rest: '',
      caveats: '59 % are empty.\n\n2026 is not over.',
    });
  });

  it('points at the cells of its answers, by whole sentences', () => {
    const step = (name: string, said: string, numbers: string[], object: string) => {
      const text = `**Step: ${name}**\n\n${said}`;
      const figures = numbers.map((number, row) => ({ ...figure(text, number, row), object }));
      return answer(text, { planStep: 1, figures });
    };
    const first = step(
      'Sums',
      '**Süd** has the highest: **€12.50**, 40% of it. Next is West with 9.',
      ['€12.50', '40%', '9'],
      'one',
    );
    const other = step('Counts', 'In all there are **40**.', ['40'], 'two');
    const text = '- Süd: Süd has the highest: €12.50, 40% of it.\n- 40: In all there are 40.';
    const { text: said, figures } = replacementFor(summary(text), [first, other]);
    expect(markFigures(said, figures ?? [])).toBe(
      '- Süd: Süd has the highest: [€12.50](#figure-0), [40%](#figure-1) of it.\n- 40: In all there are [40](#figure-2).',
    );
    expect(figures?.map(({ object, row }) => [object, row])).toEqual([
      ['one', 0],
      ['one', 1],
      ['two', 0],
    ]);
  });

  it('points at cells behind the marks of bold letters', () => {
    const text = '**Süd** leads with **12**. West has 3.';
    const standing = replacementFor(summary('Süd leads with 12.'), [
      answer(text, { figures: [figure(text, '12'), figure(text, '3')] }),
    ]);
    expect(answerText(standing).lead).toBe('**Süd** leads with **[12](#figure-0)**.');
  });

  it.each(['It is 12 of 30.', 'Süd leads with 123.'])(
    'takes no number of other words for a cell: %s',
    (text) => {
      const said = 'Süd leads with 12.';
      const standing = replacementFor(summary(text), [answer(said, { figures: [figure(said, '12')] })]);
      expect(standing.figures).toEqual([]);
    },
  );

  it('keeps the figures that a summary has of its own', () => {
    const text = 'Süd leads with 12.';
    const own = { ...summary(text), figures: [figure(text, '12')] };
    expect(answerText(replacementFor(own, [answer('**Süd** leads with **12**.')])).lead).toBe(
      'Süd leads with [12](#figure-0).',
    );
  });

  it('keeps the remarks that a summary has of its own', () => {
    const own = { ...summary('Süd leads.\n\nTwo are empty.'), caveatsAt: 12 };
    expect(replacementFor(own, [answer('Süd leads.')])).toBe(own);
  });
});

describe('markFigures', () => {
  it('makes links of numbers, also behind letters of several bytes', () => {
    const text = '**Süd** has **€1,754**, Österreich 12.';
    const marked = markFigures(text, [figure(text, '€1,754'), figure(text, '12')]);
    expect(marked).toBe('**Süd** has **[€1,754](#figure-0)**, Österreich [12](#figure-1).');
  });

  it.each([
    ['lies beyond the text', { start: 90, end: 95 }],
    ['ends before it begins', { start: 4, end: 2 }],
    ['cuts a letter', { start: 2, end: 5 }],
    ['holds markup', { start: 0, end: 5 }],
  ])('leaves a figure that %s', (_, place) => {
    const text = '**ü** 1';
    expect(markFigures(text, [{ ...place, object: 'o', row: 0, column: 0 }])).toBe(text);
  });

  it('knows its links from others', () => {
    expect(
      ['#figure-3', '#figure-x', '#figure--1', 'https://a.example/#figure-1', undefined].map(figurePlace),
    ).toEqual([3, null, null, null, null]);
  });
});

describe('hasFirstSentence', () => {
  it.each([
    ['', false],
    ['Nord has 1.7', false],
    ['Nord leads. ', true],
    ['Nord has **4.6**.', false],
    ['# Sales\n', true],
  ])('%j while it arrives: %s', (text, expected) => {
    expect(hasFirstSentence(answer(text, { status: 'streaming' }))).toBe(expected);
  });

  it('is there once the answer is', () => {
    expect(hasFirstSentence(answer('12', { status: 'complete' }))).toBe(true);
  });
});
