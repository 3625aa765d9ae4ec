import { describe, expect, it } from 'vitest';
import { nobody, othersOf } from './presence';

const person = (name: string): { uuid: string; fullName: string } => ({ uuid: name, fullName: name });
const crowd = (count: number, ...names: string[]) => ({ people: names.map(person), count });

describe('othersOf', () => {
  it('LeavesOneselfOut', () => {
    expect(othersOf(nobody, 'Me', 3)).toEqual({ shown: [], more: 0, text: '' });
    expect(othersOf(crowd(1, 'Me'), 'Me', 3)).toEqual({ shown: [], more: 0, text: '' });
    expect(othersOf(crowd(2, 'Me', 'Ben'), 'Me', 3)).toEqual({
      shown: [person('Ben')],
      more: 0,
      text: 'Ben is here, too',
    });
  });

  it('NamesAtMostThree, and counts the others', () => {
    expect(othersOf(crowd(3, 'Ben', 'Cleo', 'Me'), 'Me', 3).text).toBe('Ben and Cleo are here, too');
    expect(othersOf(crowd(5, 'Ben', 'Me', 'Cleo', 'Dan', 'Eve'), 'Me', 3)).toEqual({
      shown: [person('Ben'), person('Cleo'), person('Dan')],
      more: 1,
      text: 'Ben, Cleo, Dan, and 1 other are here, too',
    });
  });

  it('NamesThoseWhoAreNotShown', () => {
    expect(othersOf(crowd(3, 'Ben', 'Cleo', 'Me'), 'Me', 1)).toEqual({
      shown: [person('Ben')],
      more: 1,
      text: 'Ben and Cleo are here, too',
    });
  });

  it('CountsThoseWhomTheServerDoesNotName, oneself not', () => {
    expect(othersOf(crowd(30, 'Ben', 'Cleo', 'Dan', 'Eve'), 'Me', 3)).toMatchObject({
      more: 26,
      text: 'Ben, Cleo, Dan, and 26 others are here, too',
    });
  });
});
