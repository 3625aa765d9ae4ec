import { describe, expect, it } from 'vitest';
import { taskOf } from '@/testing/fixtures/tasks';
import { completeSchedule, inTaskList, scheduleOf, type ScheduleFields } from './task';

const blank: ScheduleFields = {
  frequencyType: 'daily',
  timeZone: 'Europe/Paris',
  time: '09:30',
  dayOfWeek: null,
  dayOfMonth: null,
  month: null,
};

describe('completeSchedule', () => {
  it.each([
    [{}, { frequencyType: 'daily', timeZone: 'Europe/Paris', time: '09:30' }],
    [{ time: null }, null],
    [{ timeZone: null }, null],
    [{ frequencyType: 'weekly' }, null],
    [
      { frequencyType: 'weekly', dayOfWeek: 0, month: 5 },
      { frequencyType: 'weekly', timeZone: 'Europe/Paris', time: '09:30', dayOfWeek: 0 },
    ],
    [{ frequencyType: 'monthly' }, null],
    [
      { frequencyType: 'monthly', dayOfMonth: 31 },
      { frequencyType: 'monthly', timeZone: 'Europe/Paris', time: '09:30', dayOfMonth: 31 },
    ],
    [{ frequencyType: 'annually', dayOfMonth: 1 }, null],
    [
      { frequencyType: 'annually', dayOfMonth: 1, month: 12 },
      { frequencyType: 'annually', timeZone: 'Europe/Paris', time: '09:30', dayOfMonth: 1, month: 12 },
    ],
  ] as const)('has of %o what its frequency needs, or is not complete', (changes, expected) => {
    expect(completeSchedule({ ...blank, ...changes })).toEqual(expected);
  });
});

describe('scheduleOf', () => {
  it('leaves out what the frequency does not have', () => {
    expect(scheduleOf(taskOf())).toEqual({
      frequencyType: 'weekly',
      timeZone: 'Europe/Paris',
      time: '09:30',
      dayOfWeek: 1,
    });
  });
});

describe('inTaskList', () => {
  it.each([
    [{ status: 'all' }, true],
    [{ status: 'archived' }, false],
    [{ search: ' MONDAY ' }, true],
    [{ search: 'Tuesday' }, false],
    [{ project: 3 }, true],
    [{ project: 4 }, false],
  ] as const)('of %o is %s', (changes, expected) => {
    expect(inTaskList(taskOf(), { status: 'all', project: null, search: '', ...changes })).toBe(expected);
  });

  it('keeps the archived ones apart', () => {
    const archived = taskOf({ status: 'archived' });
    expect(inTaskList(archived, { status: 'all', project: null, search: '' })).toBe(false);
    expect(inTaskList(archived, { status: 'archived', project: null, search: '' })).toBe(true);
  });
});
