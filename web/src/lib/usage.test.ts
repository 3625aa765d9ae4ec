import { describe, expect, it } from 'vitest';
import {
  barsOf,
  changeInPercent,
  forecast,
  lastMonthSoFar,
  slicesOf,
  usageLine,
  usagePeriods,
} from './usage';

const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

describe('bars', () => {
  it.each([
    ['this_week', 'date'],
    ['this_month', 'date'],
    ['last_month', 'date'],
    ['last_3_months', 'week'],
    ['last_6_months', 'week'],
  ] as const)('of %s are by %s', (period, group) => expect(barsOf(period)).toBe(group));

  it('have no custom period to choose', () => expect(usagePeriods).not.toContain('custom_time'));
});

describe('last month so far', () => {
  it.each([
    ['2026-11-23', '2026-10-01', '2026-10-23'],
    ['2026-01-05', '2025-12-01', '2025-12-05'],
    ['2026-03-31', '2026-02-01', '2026-02-28'],
    ['2028-03-30', '2028-02-01', '2028-02-29'],
  ])('on %s is %s to %s', (today, first, last) => expect(lastMonthSoFar(at(today))).toEqual({ first, last }));
});

describe('the forecast', () => {
  it('carries the month on as it went', () => {
    expect(forecast(100, at('2026-11-10'))).toBe(300);
    expect(forecast(280, at('2026-02-28'))).toBe(280);
  });

  it('says nothing in the first days', () => expect(forecast(10, at('2026-11-02'))).toBeNull());
});

it('compares with before when there is something to compare with', () => {
  expect(changeInPercent(150, 100)).toBe(50);
  expect(changeInPercent(0, 100)).toBe(-100);
  expect(changeInPercent(10, 0)).toBeNull();
});

const line = (place: number, percent: number) => ({
  ...usageLine('user', { userId: place, userName: `P${place}`, totalTokensCreditPercentageSum: percent }),
  label: `P${place}`,
});
const names = { others: 'others', rest: 'rest' };

describe('the parts of a ring', () => {
  it('leave what is not used', () => {
    expect(slicesOf([line(1, 30), line(2, 20)], ({ percent }) => percent, names)).toEqual([
      { key: '1', name: 'P1', percent: 30, color: 0 },
      { key: '2', name: 'P2', percent: 20, color: 1 },
      { key: 'rest', name: 'rest', percent: 50, color: null },
    ]);
  });

  it('put the many small ones together', () => {
    const lines = Array.from({ length: 20 }, (_, place) => line(place, 5));
    const parts = slicesOf(lines, ({ percent }) => percent, names);
    expect(parts).toHaveLength(8);
    expect(parts[7]).toEqual({ key: 'others', name: 'others', percent: 65, color: 7 });
  });

  it('leave out what counts for nothing', () => {
    expect(slicesOf([line(1, 100), line(2, 0)], ({ percent }) => percent, names)).toHaveLength(1);
  });
});

describe('a line', () => {
  it('is read by its kind', () => {
    expect(
      usageLine('project', {
        projectId: 3,
        projectName: 'Spring',
        projectColor: 'Teal blue',
        totalTokensCreditSum: 12.5,
        totalTokensCreditPercentageSum: 40,
        totalTokensCreditPercentageOverOrgSum: 20,
      }),
    ).toEqual({
      key: '3',
      id: 3,
      name: 'Spring',
      isDeleted: false,
      credits: 12.5,
      percent: 40,
      percentOfAll: 20,
      color: 'Teal blue',
    });
    expect(usageLine('conversation', { conversationId: 'c1', conversationIsDeleted: true })).toMatchObject({
      id: 'c1',
      isDeleted: true,
      color: null,
    });
  });

  it('of no project has neither an id nor a colour', () => {
    expect(usageLine('project', { projectName: '', projectColor: '' })).toMatchObject({
      id: null,
      color: null,
    });
  });
});
