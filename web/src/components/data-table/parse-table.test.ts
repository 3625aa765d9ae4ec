import { describe, expect, it } from 'vitest';

import { smallCsv } from '../../testing/fixtures/components';
import { cellFormatter } from './format-cell';
import { visibleRange } from './geometry';
import { parseTable } from './parse-table';

describe('parseTable', () => {
  it('tells numbers from text that looks like numbers', () => {
    const { columns } = parseTable('a,b,c,d,e\n1,007,1e3,12345678901234567890,\n-2.5,12,4,1,\n');
    expect(columns.map((column) => column.kind)).toEqual(['number', 'text', 'number', 'text', 'text']);
  });

  it('fills short rows and names columns that have no name', () => {
    const { columns, rows } = parseTable('a,,c\n1\n1,2,3,4\n');
    expect(columns.map((column) => column.name)).toEqual(['a', 'Column 2', 'c', 'Column 4']);
    expect(rows).toEqual([
      [1, null, null, null],
      [1, 2, 3, 4],
    ]);
  });

  it('reads quotes, line breaks in cells, semicolons and a byte order mark', () => {
    expect(parseTable('\ufeffa;b\n"x;1";"two\nlines"\n').rows).toEqual([['x;1', 'two\nlines']]);
    expect(parseTable('\ufeffa;b\n1;2\n').columns.map((column) => column.name)).toEqual(['a', 'b']);
  });

  it('I08: a cut inside a character leaves no broken character', () => {
    const bytes = new TextEncoder().encode('city,n\nZürich,1\nMalmö,2\nŁódź,3\n');
    for (let end = 1; end < bytes.length; end += 1) {
      const text = new TextDecoder().decode(bytes.slice(0, end));
      const table = parseTable(text, { truncated: true });
      expect(JSON.stringify(table)).not.toContain('\ufffd');
      for (const row of table.rows)
        expect([
          ['Zürich', 1],
          ['Malmö', 2],
          ['Łódź', 3],
        ]).toContainEqual(row);
    }
  });

  it('keeps the last row of a cut text that ends with its line', () => {
    expect(parseTable('a\n1\n2\n', { truncated: true })).toMatchObject({ rows: [[1], [2]], cut: false });
    expect(parseTable('a\n1\n2', { truncated: true })).toMatchObject({ rows: [[1]], cut: true });
    expect(parseTable(smallCsv.slice(0, 201), { truncated: true }).rows).toHaveLength(3);
  });

  it('takes rows as they are, without the values that are no numbers', () => {
    const table = parseTable({
      columns: ['n', 'b'],
      rows: [
        [1, true],
        [Number.NaN, null],
      ],
    });
    expect(table.columns.map((column) => column.kind)).toEqual(['text', 'text']);
  });

  it('reads 100,000 rows', () => {
    const text = `a,b\n${'1,x\n'.repeat(100_000)}`;
    expect(parseTable(text).rows).toHaveLength(100_000);
  });
});

describe('cellFormatter', () => {
  const column = { name: 'x', kind: 'number', fractionDigits: 2, grouping: true } as const;

  it.each([
    [1234.5, '1,234.50'],
    [0.0001, '0.0001'],
    [0, '0.00'],
    [-0.004, '-0.004'],
    [1e20, '1.000e+20'],
    [null, ''],
  ])('shows %s as %s', (cell, text) => {
    expect(cellFormatter(column, 'en')(cell)).toBe(text);
  });
});

describe('visibleRange', () => {
  it.each([
    ['at the start', { count: 100, itemSize: 30, offset: 0, viewport: 300, spare: 2 }, { start: 0, end: 12 }],
    [
      'in the middle',
      { count: 100, itemSize: 30, offset: 600, viewport: 300, spare: 2 },
      { start: 18, end: 32 },
    ],
    [
      'at the end',
      { count: 100, itemSize: 30, offset: 2700, viewport: 300, spare: 2 },
      { start: 88, end: 100 },
    ],
    [
      'beyond the end, after the list got shorter',
      { count: 5, itemSize: 30, offset: 9000, viewport: 300, spare: 2 },
      { start: 4, end: 5 },
    ],
    ['without items', { count: 0, itemSize: 30, offset: 0, viewport: 300, spare: 2 }, { start: 0, end: 0 }],
  ])('is right %s', (_, options, range) => {
    expect(visibleRange(options)).toEqual(range);
  });
});
