import { describe, expect, it } from 'vitest';
import { byteLength, dropBytes } from './utf8';

describe('byteLength', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 2],
    ['€', 3],
    ['😀', 4],
    ['a😀b', 6],
  ])('CountsTheBytesOf %s', (text, bytes) => {
    expect(byteLength(text)).toBe(bytes);
  });
});

describe('dropBytes', () => {
  it('KeepsAllAtZero', () => {
    expect(dropBytes('abc', 0)).toBe('abc');
    expect(dropBytes('abc', -3)).toBe('abc');
  });

  it('CutsBetweenRunes', () => {
    expect(dropBytes('a€b', 1)).toBe('€b');
    expect(dropBytes('a€b', 4)).toBe('b');
    expect(dropBytes('😀x', 4)).toBe('x');
  });

  it('AnswersNothingBeyondTheEnd', () => {
    expect(dropBytes('abc', 3)).toBe('');
    expect(dropBytes('abc', 9)).toBe('');
  });

  it('RefusesTheInsideOfARune', () => {
    for (const bytes of [2, 3]) expect(dropBytes('a€b', bytes)).toBeNull();
    for (const bytes of [1, 2, 3]) expect(dropBytes('😀', bytes)).toBeNull();
  });
});
