import { describe, expect, it } from 'vitest';
import { groupOf } from './conversation-groups';

const now = new Date(2026, 10, 23, 0, 30).getTime();
const at = (day: number, hour: number): string => new Date(2026, 10, day, hour).toISOString();

describe('groupOf', () => {
  it.each([
    ['today', at(23, 0)],
    ['today', at(24, 1)],
    ['yesterday', at(22, 23)],
    ['yesterday', at(22, 0)],
    ['week', at(21, 23)],
    ['week', at(17, 0)],
    ['older', at(16, 23)],
    ['older', at(1, 12)],
  ])('is %s for %s', (group, time) => {
    expect(groupOf(time, now)).toBe(group);
  });
});
