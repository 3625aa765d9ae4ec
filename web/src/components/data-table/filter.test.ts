import { describe, expect, it } from 'vitest';
import type { Cell } from './cell';
import { readFilter } from './filter';
import { matchingPlaces } from './filter-rows';
import type { TableColumn } from './table-of-rows';

const words = { empty: 'empty', notEmpty: 'not empty', yes: 'yes', no: 'no' };
const german = { empty: 'leer', notEmpty: 'nicht leer', yes: 'ja', no: 'nein' };

function column(kind: TableColumn['kind'], more: Partial<TableColumn> = {}): TableColumn {
  const format = kind === 'time' ? 'date' : kind === 'number' ? 'number' : 'text';
  return { name: 'a', label: 'A', kind, format, unit: '', fractionDigits: 0, ...more };
}

/** The cells that remain, or why there is no filter. */
function kept(cells: Cell[], typed: string, of: TableColumn, locale = 'en', own = words): unknown {
  const condition = readFilter(typed, of, own, locale);
  if (condition === null || typeof condition === 'string') return condition;
  const rows = cells.map((cell) => [cell]);
  const places = matchingPlaces(rows, [...rows.keys()], [{ column: 0, condition }]);
  return places.map((place) => cells[place]);
}

describe('a filter of texts', () => {
  const cells = ['Łódź', 'Zürich', 'Straße 5', 'not empty', null, ''];
  it.each([
    ['lodz', ['Łódź']],
    ['ZURI', ['Zürich']],
    ['strasse', ['Straße 5']],
    ['  5 ', ['Straße 5']],
    ['>5', []],
    ['Empty', [null, '']],
    ['not empty', ['Łódź', 'Zürich', 'Straße 5', 'not empty']],
    ['"empty"', ['not empty']],
    [' ', null],
  ])('keeps of %j what contains it', (typed, expected) => {
    expect(kept(cells, typed, column('text'))).toEqual(expected);
  });

  it.each([
    ['yes', 'en', words, [true]],
    ['no', 'en', words, [false]],
    ['Nein', 'de', german, [false]],
    ['nicht leer', 'de', german, [true, false]],
    ['leer', 'de', german, [null]],
  ])('finds %j as it is shown in %s', (typed, locale, own, expected) => {
    expect(kept([true, false, null], typed, column('text'), locale, own)).toEqual(expected);
  });
});

describe('a filter of numbers', () => {
  const cells = [3, 5, 10.5, 100, 1234.5, -2, null];
  const of = column('number', { fractionDigits: 1 });
  it.each([
    ['3', 'en', [3]],
    ['=3', 'en', [3]],
    ['= 3.0', 'en', [3]],
    ['>100', 'en', [1234.5]],
    ['>= 100', 'en', [100, 1234.5]],
    ['≥100', 'en', [100, 1234.5]],
    ['<5', 'en', [3, -2]],
    ['<=5', 'en', [3, 5, -2]],
    ['5..100', 'en', [5, 10.5, 100]],
    ['100 … 5', 'en', [5, 10.5, 100]],
    ['100..', 'en', [100, 1234.5]],
    ['..3', 'en', [3, -2]],
    ['-2', 'en', [-2]],
    ['−2', 'en', [-2]],
    ['-5..-1', 'en', [-2]],
    ['1,234.5', 'en', [1234.5]],
    ['1.234,5', 'de', [1234.5]],
    ['10,5', 'de', [10.5]],
    ['10.5', 'de', [10.5]],
    ['>1.000', 'de', [1234.5]],
    ['1 234,5', 'fr', [1234.5]],
    ["1'234.5", 'de-CH', [1234.5]],
    ['empty', 'en', [null]],
    ['not empty', 'en', [3, 5, 10.5, 100, 1234.5, -2]],
  ])('reads %j in %s', (typed, locale, expected) => {
    expect(kept(cells, typed, of, locale)).toEqual(expected);
  });

  it.each(['', '>', '<=', '..', '-', '> -'])('asks for nothing yet in %j', (typed) => {
    expect(kept(cells, typed, of)).toBeNull();
  });

  it.each(['many', '1 2', '1,2,3', '>x', '3..y', '1..2..3', '>1..3', '1.2.3,4,5', '2025-03', '5 kg'])(
    'says that %j is no number',
    (typed) => {
      expect(kept(cells, typed, of)).toBe('number');
    },
  );

  it('compares as cells are shown, and finds an exact value too', () => {
    const rounded = column('number', { fractionDigits: 4 });
    expect(kept([3.14159, 3.1416, 3.15], '3.1416', rounded)).toEqual([3.14159, 3.1416]);
    expect(kept([3.14159, 3.1416, 3.15], '3.14159', rounded)).toEqual([3.14159]);
    expect(kept([3.14159, 3.1416, 3.15], '>3.1415', rounded)).toEqual([3.14159, 3.1416, 3.15]);
    expect(kept([3.14159, 3.1416, 3.15], '<3.1416', rounded)).toEqual([]);
    expect(kept([0.00001, 0], '>0', rounded)).toEqual([0.00001]);
  });

  it('takes a unit with the number or without it', () => {
    const euros = column('number', { format: 'money', unit: 'EUR', fractionDigits: 2 });
    for (const typed of ['=€1,234.50', '1234.5 EUR', '1234.50']) {
      expect(kept([1234.5, 3], typed, euros)).toEqual([1234.5]);
    }
    expect(kept([-89.5, 3], '-€89.50', euros)).toEqual([-89.5]);
    expect(kept([12, 13], '>12 kg', column('number', { unit: 'kg' }))).toEqual([13]);
  });

  it('reads shares in percent, as they are shown', () => {
    const share = column('number', { format: 'fraction', unit: '%', fractionDigits: 1 });
    expect(kept([0.139, 0.02, 0.285], '13.9%', share)).toEqual([0.139]);
    expect(kept([0.139, 0.02, 0.285], '>13.9', share)).toEqual([0.285]);
    expect(kept([0.139, 0.02, 0.285], '=28,5', share, 'de')).toEqual([0.285]);
  });

  it('compares amounts that are texts by their numbers', () => {
    expect(kept(['€1,234.50', '€3.00', null], '>100', column('amount'))).toEqual(['€1,234.50']);
    expect(kept(['€1,234.50', '€3.00', null], '3', column('amount'))).toEqual(['€3.00']);
  });
});

describe('a filter of dates', () => {
  const cells = ['2024-12-31', '2025-03-01', '2025-03-31', '2025-04-01', null];
  it.each([
    ['2025', ['2025-03-01', '2025-03-31', '2025-04-01']],
    ['2025-03', ['2025-03-01', '2025-03-31']],
    ['=2025-3', ['2025-03-01', '2025-03-31']],
    ['2025-03-01', ['2025-03-01']],
    ['>2025-03-01', ['2025-03-31', '2025-04-01']],
    ['>2025-03', ['2025-04-01']],
    ['>=2025-03', ['2025-03-01', '2025-03-31', '2025-04-01']],
    ['<=2025-03', ['2024-12-31', '2025-03-01', '2025-03-31']],
    ['<2025', ['2024-12-31']],
    ['2024..2025-03', ['2024-12-31', '2025-03-01', '2025-03-31']],
    ['2025-03..2024', ['2024-12-31', '2025-03-01', '2025-03-31']],
    ['2025-03-31..', ['2025-03-31', '2025-04-01']],
    ['2025-Q1', ['2025-03-01', '2025-03-31']],
    ['Q2 2025', ['2025-04-01']],
    ['31.3.2025', ['2025-03-31']],
    ['03.2025', ['2025-03-01', '2025-03-31']],
    ['mar 2025', ['2025-03-01', '2025-03-31']],
    ['Mar 31, 2025', ['2025-03-31']],
    ['empty', [null]],
    ['>', null],
    ['soon', 'time'],
    ['2025-02-30', 'time'],
    ['2025-13', 'time'],
    ['100', 'time'],
    ['Mar', 'time'],
  ])('reads %j', (typed, expected) => {
    expect(kept(cells, typed, column('time'))).toEqual(expected);
  });

  it.each([
    ['31. März 2025', 'de', ['2025-03-31']],
    ['Dez. 2024', 'de', ['2024-12-31']],
  ])('reads %j in %s', (typed, locale, expected) => {
    expect(kept(cells, typed, column('time'), locale)).toEqual(expected);
  });

  it('reads the time of a day', () => {
    const times = ['2025-03-01T14:30:20', '2025-03-01 14:31', '2025-03-01 00:10'];
    const of = column('time', { format: 'timestamp' });
    expect(kept(times, '2025-03-01 14:30', of)).toEqual([times[0]]);
    expect(kept(times, '>2025-03-01T14:30', of)).toEqual([times[1]]);
    expect(kept(times, 'Mar 1, 2025, 2:30 PM', of)).toEqual([times[0]]);
    expect(kept(times, '<2025-03-01 12:30 am', of)).toEqual([times[2]]);
    expect(kept(times, '2025-03 14:30', of)).toBe('time');
  });
});
