import { locale } from './locale';

const formats = {
  second: new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'short',
    maximumFractionDigits: 0,
  }),
  minute: new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'minute',
    unitDisplay: 'short',
    maximumFractionDigits: 0,
  }),
  hour: new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'hour',
    unitDisplay: 'short',
    maximumFractionDigits: 0,
  }),
};

/** How long something took, such as `42 sec`, `3 min` or `2 hr`; empty if a time cannot be parsed. */
export function formatDuration(from: string, to: string): string {
  const seconds = (new Date(to).getTime() - new Date(from).getTime()) / 1000;
  if (Number.isNaN(seconds)) return '';
  if (seconds < 60) return formats.second.format(Math.max(0, seconds));
  if (seconds < 3600) return formats.minute.format(seconds / 60);
  return formats.hour.format(seconds / 3600);
}
