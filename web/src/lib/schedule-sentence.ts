import { tasks as t } from '@/messages/tasks';
import { formatClock, weekdayName } from './calendar';
import { locale } from './locale';
import type { TaskSchedule } from './task';

/** The days that every month has. */
const everyMonth = 28;
/** February, in which the last day is not the same each year. */
const february = 2;

const dayOfYear = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', timeZone: 'UTC' });
const daysIn = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A time zone as people read it: `America/New York`. */
export function zoneLabel(timeZone: string): string {
  return timeZone.replaceAll('_', ' ');
}

/** When a schedule runs, in words. */
export function scheduleSentence(schedule: TaskSchedule): string {
  const { frequencyType, dayOfWeek = 0, dayOfMonth = 1, month = 1 } = schedule;
  const when = { time: formatClock(schedule.time), zone: zoneLabel(schedule.timeZone) };
  switch (frequencyType) {
    case 'daily':
      return t('sentence.daily', when);
    case 'weekly':
      return t('sentence.weekly', { ...when, day: weekdayName(dayOfWeek) });
    case 'monthly': {
      const said = t('sentence.monthly', { ...when, day: dayOfMonth });
      return dayOfMonth > everyMonth ? `${said} ${t('sentence.short')}` : said;
    }
    case 'annually': {
      // A day that the month does not have means its last day, in every year; 2024 had 29 days in February.
      const day = Math.min(dayOfMonth, daysIn[month - 1] ?? dayOfMonth);
      const said = t('sentence.annually', {
        ...when,
        date: dayOfYear.format(new Date(Date.UTC(2024, month - 1, day))),
      });
      return month === february && dayOfMonth > everyMonth ? `${said} ${t('sentence.leap')}` : said;
    }
  }
}
