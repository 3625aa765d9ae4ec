import { describe, expect, it } from 'vitest';
import { salesColumns, salesCsv, smallCsv } from '@/testing/fixtures/components';
import { cellFormatter } from './format-cell';
import { headingOf } from './heading';
import { parseTable } from './parse-table';
import { isNumeric, nextSort, sortedPlaces } from './sort';
import { tableOfRows } from './table-of-rows';

describe('parseTable', () => {
  it('distinguishes numbers from text that looks like numbers', () => {
    const { columns } = parseTable('a,b,c,d,e\n1,007,1e3,12345678901234567890,\n-2.5,12,4,1,\n');
    expect(columns.map((column) => column.kind)).toEqual(['number', 'text', 'number', 'text', 'text']);
  });

  it('knows amounts as people write them, and leaves them as they are written', () => {
    const kindOf = (name: string, ...cells: string[]) =>
      tableOfRows({ columns: [name], rows: cells.map((cell) => [cell]) }).columns[0]?.kind;
    expect(kindOf('price', '€1,234.50', '-€3', '€0.99')).toBe('amount');
    expect(kindOf('Preis', '1.234,50 €', '-12,00 €', '0,99 €')).toBe('amount');
    expect(kindOf('fee', 'CHF 1’200.00', '1 200,00 EUR', '(3,000)', '12.5 %', '+4%', '')).toBe('amount');
    expect(kindOf('big', '1,234,567', '1,200')).toBe('amount');
    expect(kindOf('day', '01.02.2025', '12.11.2025')).toBe('text');
    expect(kindOf('article', 'ABC 123', 'ABC 124')).toBe('text');
    expect(kindOf('note', '€3', 'free')).toBe('text');
    expect(kindOf('phone', '555 123 456')).toBe('text');
    expect(kindOf('code', '030 123 456', '1,23,4')).toBe('text');
    expect(tableOfRows({ columns: ['price'], rows: [['€1,234.50']] }).rows).toEqual([['€1,234.50']]);
  });

  it('reads percentages as numbers, which are written as the locale does, if nothing else can be meant', () => {
    const written = (locale: string, ...cells: string[]) => {
      const { columns, rows } = tableOfRows({ columns: ['rate'], rows: cells.map((cell) => [cell]) });
      const [column] = columns;
      return column && rows.map(([cell]) => cellFormatter(column, locale)(cell ?? null));
    };
    expect(written('de', '84.0%', '', '-3.5 %', '100%')).toEqual([
      '84,0\u00a0%',
      '',
      '-3,5\u00a0%',
      '100,0\u00a0%',
    ]);
    expect(written('en', '84,25 %', '7 %')).toEqual(['84.25%', '7.00%']);
    for (const left of [['84.0%', 'n/a'], ['1.234%', '84.0%'], ['1,200 %'], ['05%'], ['84.0%', '0.5']]) {
      expect(written('de', ...left)).toEqual(left);
    }
    const described = { name: 'rate', label: 'Rate', format: 'text', role: 'category' } as const;
    expect(tableOfRows({ columns: ['rate'], rows: [['84.0%']], shown: [described] }).rows).toEqual([
      ['84.0%'],
    ]);
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

  it('reads the columns as the server says', () => {
    const { columns } = parseTable(salesCsv, { shown: salesColumns });
    expect(columns.map(({ label, kind, unit }) => [label, kind, unit])).toEqual([
      ['Month', 'time', ''],
      ['Region', 'text', ''],
      ['Customer ID', 'number', ''],
      ['Total net sales', 'number', 'EUR'],
      ['Return rate', 'number', '%'],
      ['Weight', 'number', 'kg'],
      ['Note', 'text', ''],
    ]);
  });

  it('does not use what is known of other columns', () => {
    const { columns } = parseTable('a,b\n1,2\n', { shown: salesColumns });
    expect(columns.map(({ label, unit }) => [label, unit])).toEqual([
      ['A', ''],
      ['B', ''],
    ]);
  });

  it('tells days by themselves', () => {
    const { columns } = parseTable('day,at\n2026-01-31,2026-01-31 14:30:00\n');
    expect(columns.map(({ kind, format }) => [kind, format])).toEqual([
      ['time', 'date'],
      ['time', 'timestamp'],
    ]);
  });
});

describe('cellFormatter', () => {
  const column = {
    name: 'x',
    label: 'X',
    kind: 'number',
    format: 'number',
    unit: '',
    fractionDigits: 2,
  } as const;

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

  it('shows money, shares, units, months, keys and nothing', () => {
    const { columns, rows } = parseTable(salesCsv, { shown: salesColumns });
    const [first, , last] = rows.map((row) =>
      row.slice(0, 6).map((cell, index) => cellFormatter(columns[index] ?? column, 'en')(cell)),
    );
    expect(first).toEqual(['Jan 2026', 'Nord', '100234', '€1,754,310.30', '13.9%', '1,200.5\u00a0kg']);
    expect(last).toEqual(['Mar 2026', 'Zürich', '100236', '', '25.0%', '']);
  });
});

describe('headingOf', () => {
  it.each([
    ['order_date', 'Order date'],
    ['customer_id', 'Customer ID'],
    ['total net amount', 'Total net amount'],
    ['Net VAT', 'Net VAT'],
    ['REVENUE', 'REVENUE'],
    ['Produkt_Bezeichnung_lang', 'Produkt Bezeichnung lang'],
    ['größe_cm', 'Größe cm'],
    ['_draft', '_draft'],
    ['Auftrags-Nr._2', 'Auftrags-Nr._2'],
    ['__proto__', '__proto__'],
  ])('writes %s as %s', (name, heading) => {
    expect(headingOf(name)).toBe(heading);
  });
});

describe('sorting', () => {
  const rows = [[3], [null], [10], [3]];

  it('puts blanks last both ways and keeps the order of equals', () => {
    expect(sortedPlaces(rows, { column: 0, descending: false })).toEqual([0, 3, 2, 1]);
    expect(sortedPlaces(rows, { column: 0, descending: true })).toEqual([2, 0, 3, 1]);
    expect(sortedPlaces(rows, null)).toEqual([0, 1, 2, 3]);
  });

  it('puts amounts in the order of their values, the biggest first', () => {
    const order = (...texts: string[]) =>
      sortedPlaces(
        texts.map((text) => [text]),
        { column: 0, descending: true },
      );
    expect(order('€900.50', '€1,234.50', '-€3', '€12')).toEqual([1, 0, 3, 2]);
    expect(order('900,50 €', '1.234 €', '(2,00 €)', '12 €')).toEqual([1, 0, 3, 2]);
    expect(isNumeric({ kind: 'amount' })).toBe(true);
    expect(isNumeric({ kind: 'text' })).toBe(false);
  });

  it('goes from one direction to the other to none, and begins again with another column', () => {
    const down = nextSort(null, 1, true);
    expect(down).toEqual({ column: 1, descending: true });
    expect(nextSort(down, 1, true)).toEqual({ column: 1, descending: false });
    expect(nextSort({ column: 1, descending: false }, 1, true)).toBeNull();
    expect(nextSort(down, 0, false)).toEqual({ column: 0, descending: false });
  });
});
