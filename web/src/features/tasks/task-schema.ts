import * as z from 'zod/mini';
import { chosen, requiredText } from '@/lib/rules';
import {
  browserTimeZone,
  completeSchedule,
  daysOf,
  frequencies,
  taskNameMax,
  type DayField,
  type TaskDraft,
} from '@/lib/task';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { ScheduledTask } from '@/lib/wire';
import { tasks as t } from '@/messages/tasks';

const dayProblems: Readonly<Record<DayField, () => string>> = {
  dayOfWeek: () => t('problem.dayOfWeek'),
  dayOfMonth: () => t('problem.dayOfMonth'),
  month: () => t('problem.month'),
};

const schedule = z
  .object({
    frequencyType: z.enum(frequencies),
    timeZone: z.nullable(z.string()),
    time: z.nullable(z.string()),
    dayOfWeek: z.nullable(z.number()),
    dayOfMonth: z.nullable(z.number()),
    month: z.nullable(z.number()),
  })
  .check(({ value, issues }) => {
    const missing = (field: string, message: string): void => {
      issues.push({ code: 'custom', message, path: [field], input: value });
    };
    if (value.timeZone === null) missing('timeZone', t('problem.timeZone'));
    if (value.time === null) missing('time', t('problem.time'));
    for (const day of daysOf[value.frequencyType]) if (value[day] === null) missing(day, dayProblems[day]());
  });

/** The form values of a task. Parts of the schedule that a frequency does not need stay empty. */
export const taskSchema = z.object({
  icebreaker: chosen<number>(t('problem.icebreaker')),
  name: requiredText(t('problem.name'), taskNameMax),
  projectLabels: z.array(z.number()),
  schedule,
});

export type TaskFields = z.input<typeof taskSchema>;
export type CheckedTask = z.output<typeof taskSchema>;

/** The values of a new task: daily, in the time zone of this browser. */
export function blankTask(): TaskFields {
  return {
    icebreaker: null,
    name: '',
    projectLabels: [],
    schedule: {
      frequencyType: 'daily',
      timeZone: browserTimeZone(),
      time: null,
      dayOfWeek: null,
      dayOfMonth: null,
      month: null,
    },
  };
}

/** The values of an existing task. */
export function fieldsOf(task: DeepReadonly<ScheduledTask>): TaskFields {
  const { frequencyType, timeZone, time, dayOfWeek, dayOfMonth, month } = task.schedule;
  return {
    icebreaker: task.icebreaker,
    name: task.name,
    projectLabels: task.projectLabels.map(({ id }) => id),
    schedule: { frequencyType, timeZone, time, dayOfWeek, dayOfMonth, month },
  };
}

/** The request for a valid form. */
export function draftOf({ schedule: fields, ...rest }: CheckedTask): TaskDraft {
  const whole = completeSchedule(fields);
  if (whole === null) throw new Error('a schedule that was checked is complete');
  return { ...rest, schedule: whole };
}
