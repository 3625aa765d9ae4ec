import { limitsOfTaskRequest } from '@/api/limits.gen';
import type { DeepReadonly } from './deep-readonly';
import type { Schedule, ScheduledTask } from './wire';

/** The frequencies of a schedule. */
export type Frequency = Schedule['frequencyType'];

export const frequencies: readonly Frequency[] = ['daily', 'weekly', 'monthly', 'annually'];

/** The parts of a schedule that depend on its frequency. */
export type DayField = 'dayOfWeek' | 'dayOfMonth' | 'month';

/** What each frequency needs in addition to a time of day and a time zone, in the order of the form. */
export const daysOf: Readonly<Record<Frequency, readonly DayField[]>> = {
  daily: [],
  weekly: ['dayOfWeek'],
  monthly: ['dayOfMonth'],
  annually: ['month', 'dayOfMonth'],
};

/** A schedule that is complete. */
export interface TaskSchedule {
  frequencyType: Frequency;
  timeZone: string;
  /** `HH:MM` of 24 hours, on the hour or the half hour. */
  time: string;
  /** 0 for Sunday to 6. */
  dayOfWeek?: number;
  /** 1 to 31; in a shorter month its last day is meant. */
  dayOfMonth?: number;
  /** 1 to 12. */
  month?: number;
}

/** The fields that a person fills in to make or change a task. */
export interface TaskDraft {
  name: string;
  /** The blueprint that is run. */
  icebreaker: number;
  projectLabels: number[];
  schedule: TaskSchedule;
}

/** The filters of a list of tasks. */
export interface TaskQuery {
  status: 'all' | 'archived';
  /** Only those of this project; `null` for all. */
  project: number | null;
  search: string;
}

export const taskPageSize = 10;
export const timeZonePageSize = 25;
/** The maximum length of a name. */
export const taskNameMax = limitsOfTaskRequest.name.characters;

/** The form values of a schedule while a person fills it in. */
export interface ScheduleFields {
  frequencyType: Frequency;
  timeZone: string | null;
  time: string | null;
  dayOfWeek: number | null;
  dayOfMonth: number | null;
  month: number | null;
}

/** A schedule, or `null` as long as a part of it is missing. */
export function completeSchedule(fields: ScheduleFields): TaskSchedule | null {
  const { frequencyType, timeZone, time } = fields;
  if (timeZone === null || time === null) return null;
  const schedule: TaskSchedule = { frequencyType, timeZone, time };
  for (const day of daysOf[frequencyType]) {
    const value = fields[day];
    if (value === null) return null;
    schedule[day] = value;
  }
  return schedule;
}

/** The schedule of a task, with only the parts that its frequency needs. */
export function scheduleOf(task: DeepReadonly<ScheduledTask>): TaskSchedule {
  const { frequencyType, timeZone, time, dayOfWeek, dayOfMonth, month } = task.schedule;
  return {
    frequencyType,
    timeZone,
    time,
    ...(dayOfWeek !== null && { dayOfWeek }),
    ...(dayOfMonth !== null && { dayOfMonth }),
    ...(month !== null && { month }),
  };
}

/** Whether a task belongs to the list of a query. */
export function inTaskList(task: ScheduledTask, { status, project, search }: TaskQuery): boolean {
  const named = task.name.toLowerCase().includes(search.trim().toLowerCase());
  const labelled = project === null || task.projectLabels.some(({ id }) => id === project);
  return named && labelled && (status === 'archived') === (task.status === 'archived');
}

/** The time zone of this browser, which is the one that people mostly mean; `null` if it is unknown. */
export function browserTimeZone(): string | null {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined;
  return zone === undefined || zone === '' ? null : zone;
}
