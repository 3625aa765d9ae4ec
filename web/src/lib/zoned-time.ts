import { locale } from './locale';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const held = formats.get(timeZone);
  if (held) return held;
  const options = {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  } as const;
  let made: Intl.DateTimeFormat;
  try {
    made = new Intl.DateTimeFormat(locale, { ...options, timeZone });
  } catch {
    // A zone that the server knows and this browser does not: the same moment, and the format names the zone.
    made = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  }
  formats.set(timeZone, made);
  return made;
}

/** A moment as clocks of a time zone show it, such as `Mon, Nov 30, 2026, 9:30 AM GMT+1`; empty for what is no time. */
export function formatInZone(time: string, timeZone: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : formatOf(timeZone).format(date);
}
