import { locale } from './locale';

const shortDayFormat = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: '2-digit' });
const calendarDayFormat = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});
/** By the least number of decimals: none, one or two. */
const numbers = [0, 1, 2].map(
  (least) => new Intl.NumberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: 2 }),
);
const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });

/** A day of data, which is the same day in every time zone; empty if it is not a day. */
export function formatCalendarDay(day: string): string {
  const date = new Date(day);
  return Number.isNaN(date.getTime()) ? '' : calendarDayFormat.format(date);
}

/** A number with at most two decimals, and at least `decimals` of them; empty if it is not a number. */
export function formatNumber(value: string | number, decimals = 0): string {
  const number = Number(value);
  return Number.isNaN(number) ? '' : (numbers[Math.min(decimals, 2)]?.format(number) ?? '');
}

/** A share of one in percent. A share below one is never written as 100 %. */
export function formatShare(share: number): string {
  return shares.format(share < 1 ? Math.min(share, 0.99) : share);
}

/** A day in figures, such as `11/20/26`; empty for a time that cannot be read. */
export function formatShortDay(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : shortDayFormat.format(date);
}
