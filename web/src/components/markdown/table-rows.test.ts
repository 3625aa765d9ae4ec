import { describe, expect, it } from 'vitest';
import { tableRows } from './table-rows';

const head = '| shop | units |\n|---|--:|';

function rows(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `| shop ${index} | ${index} |`);
}

describe('tableRows', () => {
  it('groups the rows, and keeps all of them', () => {
    const table = tableRows([head, ...rows(1000)].join('\n'), false);
    expect(table).toMatchObject({ head, columns: 2, definitions: '' });
    expect(table?.groups.join('\n')).toBe(rows(1000).join('\n'));
    expect(table?.groups).toHaveLength(25);
  });

  it('changes only the last group when rows come', () => {
    const before = tableRows([head, ...rows(95)].join('\n'), true);
    const after = tableRows([head, ...rows(96)].join('\n'), true);
    expect(after?.groups.slice(0, 2)).toEqual(before?.groups.slice(0, 2));
  });

  it.each([
    ['', []],
    ['|', []],
    ['| sh', []],
    ['| shop 1 |', ['| shop 1 |']],
    ['| shop 1 | 1', ['| shop 1 |']],
    ['shop 1 | 1', ['shop 1 |']],
  ])('takes of a row that grows the whole cells: %j', (row, groups) => {
    expect(tableRows(`${head}\n${row}`, true)?.groups).toEqual(groups);
  });

  it('keeps apart what cells may refer to', () => {
    const table = tableRows(`${head}\n| [a] | 1 |\n\n[a]: https://a.example`, false);
    expect(table).toMatchObject({ groups: ['| [a] | 1 |'], definitions: '[a]: https://a.example' });
  });

  it.each([
    'a | b',
    '| a | b |\n|--|',
    '| a | b |\n| c | d |',
    '# a | b\n|--|--|',
    `${head}\n| a | 1 |\n- item | 2`,
    `${head}\n| a | 1 |\nmore text`,
    `${head}\n| a | 1 |\n\n  indented | text`,
  ])('leaves to the parser what is not just a table: %j', (piece) => {
    expect(tableRows(piece, false)).toBeNull();
  });

  it('does not count a bar that is part of a cell', () => {
    expect(tableRows('| a \\| b | c |\n|--|--|\n| 1 | 2 |', false)).toMatchObject({ columns: 2 });
  });
});
