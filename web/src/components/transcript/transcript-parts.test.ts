import { describe, expect, it } from 'vitest';

import { newAnchor, nextAnchor } from './first-index';
import { fullTime, relativeTime } from './relative-time';

describe('nextAnchor', () => {
  const opened = newAnchor(['c', 'd']);

  it('counts down by as many messages as came in front', () => {
    const next = nextAnchor(opened, ['a', 'b', 'c', 'd']);
    expect(next).toEqual({ firstId: 'a', firstIndex: opened.firstIndex - 2 });
  });

  it('stays when messages are added at the end', () => {
    expect(nextAnchor(opened, ['c', 'd', 'e'])).toBe(opened);
  });

  it('stays when the first messages are taken away', () => {
    expect(nextAnchor(opened, ['d'])).toEqual({ firstId: 'd', firstIndex: opened.firstIndex });
    expect(nextAnchor(opened, [])).toEqual({ firstId: null, firstIndex: opened.firstIndex });
  });

  it('starts with the first message of an empty conversation', () => {
    const empty = newAnchor([]);
    expect(nextAnchor(empty, ['a'])).toEqual({ firstId: 'a', firstIndex: empty.firstIndex });
  });
});

describe('relativeTime', () => {
  const now = Date.UTC(2025, 10, 20, 12);
  const ago = (ms: number) => relativeTime(new Date(now - ms).toISOString(), now);

  it.each([
    [0, 'just now'],
    [-30_000, 'just now'],
    [59_999, 'just now'],
    [60_000, '1 minute ago'],
    [59 * 60_000, '59 minutes ago'],
    [60 * 60_000, '1 hour ago'],
    [24 * 60 * 60_000, 'yesterday'],
    [6 * 24 * 60 * 60_000, '6 days ago'],
    [8 * 24 * 60 * 60_000, 'Nov 12, 2025'],
  ])('%s ms ago is "%s"', (ms, text) => {
    expect(ago(ms)).toBe(text);
  });

  it('shows nothing for a time that is none', () => {
    expect(relativeTime('soon', now)).toBe('');
    expect(fullTime('soon')).toBe('');
  });
});
