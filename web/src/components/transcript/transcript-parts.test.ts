import { describe, expect, it } from 'vitest';
import { newAnchor, nextAnchor } from './first-index';
import { viewOf } from './conversation-history';
import { plainWords } from './plain-words';
import { groupTurns } from './turns';
import { whole } from './use-turns';

describe('nextAnchor', () => {
  const opened = newAnchor(['c', 'd']);

  it('counts down by as many as came in front', () => {
    const next = nextAnchor(opened, ['a', 'b', 'c', 'd']);
    expect(next).toEqual({ firstId: 'a', firstIndex: opened.firstIndex - 2 });
  });

  it('stays when some are added at the end', () => {
    expect(nextAnchor(opened, ['c', 'd', 'e'])).toBe(opened);
  });

  it('stays when the first ones are taken away', () => {
    expect(nextAnchor(opened, ['d'])).toEqual({ firstId: 'd', firstIndex: opened.firstIndex });
    expect(nextAnchor(opened, [])).toEqual({ firstId: null, firstIndex: opened.firstIndex });
  });

  it('starts with the first one of an empty conversation', () => {
    const empty = newAnchor([]);
    expect(nextAnchor(empty, ['a'])).toEqual({ firstId: 'a', firstIndex: empty.firstIndex });
  });
});

describe('whole', () => {
  const at = { status: 'complete', text: 'x', createdAt: '', displayObjects: [] } as const;
  const cut = groupTurns([
    { ...at, id: 'a', role: 'assistant' },
    { ...at, id: 'q', role: 'user' },
  ]).turns;

  it.each([
    ['idle', ['q']],
    ['loading', ['q']],
    ['failed', ['turn-a', 'q']],
    ['none', ['turn-a', 'q']],
  ] as const)('holds a turn back whose beginning is to come: %s', (earlier, keys) => {
    expect(whole(cut, earlier).map(({ key }) => key)).toEqual(keys);
  });

  it('shows what there is when it is all there is', () => {
    expect(whole(cut.slice(0, 1), 'idle')).toHaveLength(1);
  });
});

describe('viewOf', () => {
  it.each([
    ['user', 'summary'],
    ['summary', 'summary'],
    ['assistant', 'analytics'],
    ['user_proxy', 'analytics'],
    [undefined, 'summary'],
  ] as const)('shows a message of %s in %s', (role, view) => {
    expect(viewOf(role)).toBe(view);
  });
});

describe('plainWords', () => {
  it('is the first line without marks', () => {
    expect(plainWords('\nI read `net_sales` by **region**.\nMore')).toBe('I read net_sales by region.');
  });
});
