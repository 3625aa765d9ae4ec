import { hourFormat } from './calendar';
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
    ...hourFormat,
    timeZoneName: 'short',
  } as const;
  let made: Intl.DateTimeFormat;
  try {
    made = new Intl.DateTimeFormat(locale, { ...options, timeZone });
  } catch {
    // The server knows this zone and the browser does not: the same moment is shown in another zone, which the
    // format names.
    made = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  }
  formats.set(timeZone, made);
  return made;
}

/** A moment in a time zone, such as `Mon, Nov 30, 2026, 9:30 AM GMT+1`; empty if it is not a time. */
export function formatInZone(time: string, timeZone: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : formatOf(timeZone).format(date);
}
