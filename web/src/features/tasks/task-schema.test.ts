import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { ScheduledTask } from '@/lib/wire';
import { taskOf } from '@/testing/fixtures/tasks';
import { lostInForm } from '@/testing/round-trip';
import { blankTask, draftOf, fieldsOf, taskSchema, type TaskFields } from './task-schema';

function problems(fields: TaskFields): Record<string, string> {
  const { error } = z.safeParse(taskSchema, fields);
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
}

const nothing: TaskFields = {
  ...blankTask(),
  schedule: { ...blankTask().schedule, timeZone: null },
};

describe('taskSchema', () => {
  it('says of everything that is missing what is wrong, at once', () => {
    expect(problems(nothing)).toEqual({
      icebreaker: 'Please select at least one icebreaker',
      name: 'Please enter a valid name',
      'schedule.timeZone': 'Please select a time zone',
      'schedule.time': 'Please select a time',
    });
  });

  it.each([
    ['weekly', { 'schedule.dayOfWeek': 'Please select a day of the week' }],
    ['monthly', { 'schedule.dayOfMonth': 'Please select a day of the month' }],
    [
      'annually',
      {
        'schedule.dayOfMonth': 'Please select a day of the month',
        'schedule.month': 'Please select a month',
      },
    ],
  ] as const)('asks for the days of a %s schedule', (frequencyType, expected) => {
    const fields = fieldsOf(taskOf());
    expect(problems({ ...fields, schedule: { ...fields.schedule, frequencyType, dayOfWeek: null } })).toEqual(
      expected,
    );
  });

  it('asks for no projects, and takes no name of blanks or of more than 100 characters', () => {
    const fields = fieldsOf(taskOf());
    expect(problems({ ...fields, projectLabels: [] })).toEqual({});
    expect(problems({ ...fields, name: '  ' })).toEqual({ name: 'Please enter a valid name' });
    expect(problems({ ...fields, name: 'x'.repeat(101) })).toEqual({ name: 'Please enter a valid name' });
  });

  it('sends what the frequency needs, and nothing else', () => {
    const fields = fieldsOf(taskOf());
    fields.schedule.dayOfMonth = 12;
    expect(draftOf(z.parse(taskSchema, fields))).toEqual({
      name: 'Monday report',
      icebreaker: 7,
      projectLabels: [3],
      schedule: { frequencyType: 'weekly', timeZone: 'Europe/Paris', time: '09:30', dayOfWeek: 1 },
    });
  });

  it('returns every field of a task', () => {
    const lost = lostInForm<ScheduledTask>({
      entity: 'Task',
      request: 'TaskRequest',
      send: (shown) => draftOf(z.parse(taskSchema, fieldsOf(shown))),
    });
    expect(lost).toEqual([
      // A switch in the list turns a task on and off.
      'isEnabled',
      // No frequency needs all three: a task that runs once a year has no day of the week.
      'schedule.dayOfWeek',
      // The server knows one type of schedules.
      'schedule.type',
      // The store adds the version that the form was opened with.
      'version',
    ]);
  });
});
