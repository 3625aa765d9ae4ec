import { describe, expect, it } from 'vitest';
import { byIds, pickerLabel } from './connector-picker';
import { filterDataSources } from './datasource-filter';
import { formatAgo, formatBytes, formatCredits, initials } from './format';
import { formatShortDay } from './data-format';
import { truncate } from './notify';
import { searchByName } from './search';
import { characterCount, shorten } from './text';
import { uuidv7 } from './uuid';

describe('format', () => {
  it('WritesCreditsInFrench', () => {
    expect(formatCredits(1_234_567).replace(/\s/gu, ' ')).toBe('1 234 567');
    expect(formatCredits(0.005)).toBe('0,01');
    expect(formatCredits(0.0049)).toBe('< 0,01');
    expect(formatCredits(0)).toBe('–');
    expect(formatCredits(null)).toBe('–');
  });

  it('SaysHowLongAgo', () => {
    const now = Date.parse('2026-11-20T10:00:00Z');
    expect(formatAgo('2026-11-20T09:59:30Z', now)).toBe('just now');
    expect(formatAgo('2026-11-20T07:00:00Z', now)).toBe('3 hours ago');
    expect(formatAgo('2026-11-19T09:00:00Z', now)).toBe('yesterday');
    expect(formatAgo('nonsense', now)).toBe('');
  });

  it('WritesSizes', () => {
    expect(formatBytes(999)).toBe('999 bytes');
    expect(formatBytes(1_482_114)).toBe('1.5 MB');
    expect(formatBytes(999_600)).toBe('1 MB');
    expect(formatBytes(123_456_789)).toBe('123 MB');
  });

  it('WritesShortDays', () => {
    expect(formatShortDay('2026-11-20T12:00:00Z')).toBe('11/20/26');
    expect(formatShortDay('nonsense')).toBe('');
  });

  it('TakesInitials', () => {
    expect(initials('Ada Maria Lindqvist')).toBe('AL');
    expect(initials('  bo ')).toBe('B');
    expect(initials('')).toBe('?');
  });
});

describe('text', () => {
  it('NeverCutsACharacter', () => {
    expect(shorten('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 1)).toBe('👨‍👩‍👧‍👦');
    expect(shorten('abc', 5)).toBe('abc');
    expect(characterCount('é😀')).toBe(2);
  });

  it('TruncatesErrorsAt300', () => {
    expect(truncate('x'.repeat(400))).toHaveLength(300);
    expect(truncate('short')).toBe('short');
    expect(truncate('😀'.repeat(300))).toBe('😀'.repeat(300));
    expect(truncate('😀'.repeat(301))).toBe(`${'😀'.repeat(299)}…`);
  });
});

describe('picker', () => {
  it('SaysWhatItWillDo', () => {
    expect(pickerLabel([1], new Set([1]))).toBeNull();
    expect(pickerLabel([1], new Set([1, 2]))).toBe('Add 1 connector');
    expect(pickerLabel([1, 2], new Set([3, 4]))).toBe('Add 2 connectors and remove 2 connectors');
    expect(pickerLabel([1], new Set())).toBe('Remove 1 connector');
  });

  it('KeepsTheOrderOfTheIds', () => {
    expect(byIds([{ id: 1 }, { id: 2 }], [2, 9, 1])).toEqual([{ id: 2 }, { id: 1 }]);
  });
});

describe('searchByName', () => {
  it('PutsNamesFirst', () => {
    const items = [
      { name: 'Orders', description: 'all sales' },
      { name: 'Web sales', description: '' },
      { name: 'Sales', description: '' },
      { name: 'Tickets', description: '' },
    ];
    expect(searchByName(items, ' SALES ').map(({ name }) => name)).toEqual(['Sales', 'Web sales', 'Orders']);
    expect(searchByName(items, '')).toHaveLength(4);
  });
});

describe('filterDataSources', () => {
  const one = { scope: 'user', permission: 'owner', isFavorite: false, lastUsedAt: null, projectLabels: [] };
  const monday = '2026-11-16T08:00:00.000Z';
  const sources = [
    { ...one, name: 'ours', scope: 'organization', permission: 'read', lastUsedAt: monday },
    { ...one, name: 'mine', isFavorite: true, projectLabels: [{ id: 4 }] },
    { ...one, name: 'theirs', permission: 'read', lastUsedAt: '2026-11-17T08:00:00.000Z' },
  ];

  it.each([
    ['all', ['ours', 'mine', 'theirs']],
    ['favorite', ['mine']],
    ['organization', ['ours']],
    ['owned', ['mine']],
    ['shared', ['theirs']],
    // The last used comes first.
    ['recent', ['theirs', 'ours']],
  ])('Knows %s', (filter, names) => {
    expect(filterDataSources(sources, filter).map(({ name }) => name)).toEqual(names);
  });

  it('NarrowsToAProject', () => {
    expect(filterDataSources(sources, 'all', 4).map(({ name }) => name)).toEqual(['mine']);
    expect(filterDataSources(sources, 'recent', 4)).toEqual([]);
  });

  it('RefusesAnUnknownOne', () => {
    expect(() => filterDataSources(sources, 'color')).toThrow('Operation "color" currently not supported.');
  });
});

describe('uuidv7', () => {
  it('CarriesTheTimeAndItsVersion', () => {
    const id = uuidv7(0x0198_1234_5678);
    expect(id).toMatch(/^01981234-5678-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
    expect(new Set(Array.from({ length: 100 }, () => uuidv7())).size).toBe(100);
  });
});
