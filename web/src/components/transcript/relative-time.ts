const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

// Made once: making a formatter costs a millisecond, a growing answer renders sixty times a second, and each
// message that scrolls into view renders anew.
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' });

/** How long ago something was, roughly: "just now", "5 minutes ago", "yesterday", then the date. */
export function relativeTime(createdAt: string, now: number): string {
  const then = Date.parse(createdAt);
  if (Number.isNaN(then)) return '';
  const age = now - then;
  // Clocks differ by a little; a message from the near future is simply new.
  if (age < minute) return 'just now';
  if (age < hour) return words.format(-Math.floor(age / minute), 'minute');
  if (age < day) return words.format(-Math.floor(age / hour), 'hour');
  if (age < 7 * day) return words.format(-Math.floor(age / day), 'day');
  return date.format(then);
}

/** Date and time in full, for the tooltip. */
export function fullTime(createdAt: string): string {
  const then = new Date(createdAt);
  return Number.isNaN(then.getTime()) ? '' : full.format(then);
}
