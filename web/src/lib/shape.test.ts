import { describe, expect, it } from 'vitest';
import {
  anyOf,
  boolean,
  lenient,
  list,
  made,
  nullable,
  number,
  object,
  oneOf,
  optional,
  pair,
  string,
  Unfit,
  whole,
} from './shape';

const point = object({ x: optional(number(0, 10)), y: nullable(number(-1, 1)), name: lenient(string) });

describe('object', () => {
  it('keeps what is known, and nothing else', () => {
    expect(point.read({ y: 1, name: 'a', toString: 'x', more: {} }, '')).toStrictEqual({ y: 1, name: 'a' });
  });

  it('leaves out what is lenient and wrong', () => {
    expect(point.read({ y: null, name: 7 }, '')).toStrictEqual({ y: null });
  });

  it('reads own keys alone', () => {
    const inherited: unknown = Object.create({ y: 1 });
    expect(point.read(inherited, '')).toBeInstanceOf(Unfit);
  });

  it.each([
    ['a missing one', { x: 1 }, 'p.y'],
    ['a wrong one that is optional', { x: '1', y: 1 }, 'p.x'],
    ['a list', [], 'p'],
    ['nothing', null, 'p'],
  ])('says where it does not fit: %s', (_, input, path) => {
    expect(point.read(input, 'p')).toMatchObject({ path });
  });
});

describe('number and whole', () => {
  it.each([Number.NaN, Infinity, 11, -1, '5', null])('refuse %s', (input) => {
    expect(number(0, 10).read(input, '')).toBeInstanceOf(Unfit);
    expect(whole(0, 10).read(input, '')).toBeInstanceOf(Unfit);
  });

  it('whole refuses a half, number takes it', () => {
    expect(whole(0, 10).read(0.5, '')).toBeInstanceOf(Unfit);
    expect(number(0, 10).read(0.5, '')).toBe(0.5);
  });
});

describe('list and pair', () => {
  it('count, and say which one is wrong', () => {
    expect(list(boolean, 1, 2).read([true, false], '')).toEqual([true, false]);
    expect(list(boolean, 1, 2).read([], '')).toBeInstanceOf(Unfit);
    expect(list(boolean, 1, 2).read([true, true, true], '')).toBeInstanceOf(Unfit);
    expect(list(boolean, 1, 2).read([true, 1], 'a')).toMatchObject({ path: 'a[1]' });
    expect(pair(string, boolean).read(['a', true], '')).toEqual(['a', true]);
    expect(pair(string, boolean).read(['a'], '')).toBeInstanceOf(Unfit);
    expect(pair(string, boolean).read(['a', 1], 'p')).toMatchObject({ path: 'p[1]' });
  });
});

describe('anyOf, oneOf and made', () => {
  const either = anyOf(oneOf(['a', 'b']), made(number(0, 9), String));
  it('take the first that fits', () => {
    expect(either.read('b', '')).toBe('b');
    expect(either.read(4, '')).toBe('4');
    expect(either.read('c', 'k')).toMatchObject({ path: 'k' });
  });
});
