import { language, locale } from './locale';

/** Times of day every 30 minutes as `HH:MM` of 24 hours, from midnight. */
export const halfHours: readonly string[] = Array.from({ length: 48 }, (_, index) => {
  const hour = String(Math.floor(index / 2)).padStart(2, '0');
  return `${hour}:${index % 2 === 0 ? '00' : '30'}`;
});

/**
 * How a time of a schedule is shown: of 12 hours in English (specification 2, section 9), also where people otherwise
 * use 24, so that the choice of a time and the runs that follow from it look the same.
 */
export const hourFormat = {
  hour: 'numeric',
  minute: '2-digit',
  ...(language === 'en' && { hour12: true }),
} as const satisfies Intl.DateTimeFormatOptions;

const clock = new Intl.DateTimeFormat(locale, {
  ...hourFormat,
  // Of 24 hours an hour has two digits, as it has beside a date.
  ...(language !== 'en' && { hour: '2-digit' as const }),
  timeZone: 'UTC',
});
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });

/** A time of day, such as `2:30 PM`; the text itself if it is not a time. */
export function formatClock(time: string): string {
  const date = new Date(`2024-01-01T${time}:00Z`);
  return Number.isNaN(date.getTime()) ? time : clock.format(date);
}

/** The name of a day of the week, 0 for Sunday to 6. */
export function weekdayName(day: number): string {
  // 7 January 2024 was a Sunday.
  return weekday.format(new Date(Date.UTC(2024, 0, 7 + day)));
}

/** The name of a month, 1 to 12. */
export function monthName(number: number): string {
  return month.format(new Date(Date.UTC(2024, number - 1, 1)));
}
