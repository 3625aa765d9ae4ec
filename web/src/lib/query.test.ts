import { describe, expect, it } from 'vitest';
import { readQueryArray, writeQuery } from './query';

describe('readQueryArray', () => {
  it.each([
    ['dataSources[]=1&dataSources[]=2', [1, 2]],
    ['dataSources[]=1,2,2&dataSources[]=1', [1, 2]],
    ['dataSources=3', [3]],
    ['dataSources[]=true,false,x', [true, false, 'x']],
    ['dataSources[]=007,1e5,1.5,-2', ['007', '1e5', 1.5, -2]],
    ['dataSources[]=', []],
    ['other[]=1', []],
  ])('Reads %s', (query, values) => {
    expect(readQueryArray(new URLSearchParams(query), 'dataSources')).toEqual(values);
  });
});

describe('writeQuery', () => {
  it('GivesArraysTheSuffix', () => {
    expect(writeQuery({ dataSources: [1, 2], agent: 3 })).toBe(
      '?dataSources%5B%5D=1&dataSources%5B%5D=2&agent=3',
    );
  });

  it('LeavesOutWhatIsEmpty', () => {
    expect(writeQuery({ dataSources: [], agent: undefined })).toBe('');
  });

  it('IsReadBackTheSame', () => {
    const query = new URLSearchParams(writeQuery({ ids: [1, 'a b', true] }));
    expect(readQueryArray(query, 'ids')).toEqual([1, 'a b', true]);
  });
});
