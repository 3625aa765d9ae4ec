import { describe, expect, it } from 'vitest';
import type { Grant } from './wire';
import { sharedWith } from './shared-with';

const grant = (id: number, permission: Grant['permission'] = 'read'): Grant => ({
  actor: { type: 'user', id, name: `Person ${id}`, picture: '' },
  permission,
});
const people = (count: number) => Array.from({ length: count }, (_, index) => grant(index + 2));

describe('sharedWith', () => {
  it('is nobody when only the owner has access', () => {
    expect(sharedWith([])).toEqual({ shown: [], more: 0, text: '' });
    expect(sharedWith([grant(1, 'owner')])).toEqual({ shown: [], more: 0, text: '' });
  });

  it('shows three at most, counts the others, and names them all the same', () => {
    const three = sharedWith([grant(1, 'owner'), ...people(3)]);
    expect(three).toMatchObject({ more: 0, text: 'Shared with Person 2, Person 3, and Person 4' });
    const { shown, more, text } = sharedWith([grant(1, 'owner'), ...people(4), grant(9, 'write')]);
    expect(shown.map(({ id }) => id)).toEqual([2, 3, 4]);
    expect(more).toBe(2);
    expect(text).toBe('Shared with Person 2, Person 3, Person 4, Person 5, and Person 9');
  });

  it('names ten of very many', () => {
    expect(sharedWith(people(10)).text).toMatch(/Person 10, and Person 11$/u);
    expect(sharedWith(people(11)).text).toMatch(/Person 11, and 1 other$/u);
    const crowd = sharedWith(people(200));
    expect(crowd.more).toBe(197);
    expect(crowd.text).toMatch(/and 190 others$/u);
  });
});
