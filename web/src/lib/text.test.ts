import { describe, expect, it } from 'vitest';
import { shortenAtWord } from './shorten-at-word';
import { distinguishable } from './text';

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

describe('distinguishable', () => {
  const shown = (texts: string[], limit: number): string[] => texts.map(distinguishable(texts, limit));

  it('leaves texts alone that a cut at the end keeps apart', () => {
    const texts = ['North, with all of its stores', 'South, with all of its stores', 'East'];
    expect(shown(texts, 12)).toEqual(texts);
  });

  it('leaves out the middle of those that begin alike, and nothing of those that have room', () => {
    const texts = ['The very long product line 1', 'The very long product line 12', 'Short'];
    expect(shown(texts, 14)).toEqual(['The ver…line 1', 'The very lo…12', 'Short']);
  });

  it('begins the end with a word, unless only a part of one distinguishes them', () => {
    const texts = ['Rain jackets and trousers for women', 'Rain jackets and trousers for girls'];
    expect(shown(texts, 22)).toEqual(['Rain jackets…for women', 'Rain jackets…for girls']);
    const parts = ['Rain jackets and trousers-A for women', 'Rain jackets and trousers-B for women'];
    expect(shown(parts, 26)).toEqual(['Rain jackets…-A for women', 'Rain jackets…-B for women']);
  });

  it('leaves out the beginning of those that end alike, too', () => {
    const texts = ['The very long product line North of 2025', 'The very long product line South of 2025'];
    expect(shown(texts, 16)).toEqual(['…North of 2025', '…South of 2025']);
  });

  it('cuts no character in two', () => {
    const texts = ['🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇫🇷', '🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇩🇪🇮🇹'];
    expect(shown(texts, 5)).toEqual(['🇩🇪🇩🇪…🇩🇪🇫🇷', '🇩🇪🇩🇪…🇩🇪🇮🇹']);
  });

  it.each([[[]], [['a single text that is too long']], [['the same long text', 'the same long text']]])(
    'leaves %j as it is',
    (texts) => {
      expect(shown(texts, 8)).toEqual(texts);
    },
  );
});
