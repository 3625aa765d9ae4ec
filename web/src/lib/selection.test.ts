import { describe, expect, it } from 'vitest';
import { toggled } from './selection';

describe('toggled', () => {
  it('adds what is not chosen and takes away what is', () => {
    expect(toggled({ selected: [1] }, 2)).toEqual([1, 2]);
    expect(toggled({ selected: [1, 2] }, 1)).toEqual([2]);
  });

  it('ignores disabled and locked entries', () => {
    const selection = { selected: [1], disabled: [2], locked: [1] };
    expect(toggled(selection, 2)).toEqual([1]);
    expect(toggled(selection, 1)).toEqual([1]);
  });

  it('lets only one be chosen when only one can, and keeps what is locked', () => {
    expect(toggled({ selected: ['a'], single: true }, 'b')).toEqual(['b']);
    expect(toggled({ selected: ['a', 'z'], locked: ['z'], single: true }, 'b')).toEqual(['z', 'b']);
  });

  it('lets the check say no', () => {
    expect(toggled({ selected: [1] }, 2, () => false)).toEqual([1]);
  });

  it('lets the check put another selection in place, except of what is fixed', () => {
    expect(toggled({ selected: [1, 9], locked: [9], disabled: [5] }, 2, () => [2, 5])).toEqual([9, 2]);
  });

  it('tells the check what it would be and what was pressed', () => {
    const seen: unknown[] = [];
    toggled({ selected: [1] }, 2, (next, id) => {
      seen.push(next, id);
      return undefined;
    });
    expect(seen).toEqual([[1, 2], 2]);
  });
});
