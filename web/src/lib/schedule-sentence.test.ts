import { expect, it } from 'vitest';
import { formatDuration } from './duration';
import { scheduleSentence } from './schedule-sentence';
import { formatInZone } from './zoned-time';

const paris = { timeZone: 'Europe/Paris', time: '14:30' };

it.each([
  [
    { frequencyType: 'daily', timeZone: 'America/New_York', time: '00:00' },
    'Runs every day at 12:00 AM, America/New York time.',
  ],
  [{ ...paris, frequencyType: 'weekly', dayOfWeek: 0 }, 'Runs every Sunday at 2:30 PM, Europe/Paris time.'],
  [
    { ...paris, frequencyType: 'monthly', dayOfMonth: 28 },
    'Runs on day 28 of every month at 2:30 PM, Europe/Paris time.',
  ],
  [
    { ...paris, frequencyType: 'monthly', dayOfMonth: 31 },
    'Runs on day 31 of every month at 2:30 PM, Europe/Paris time. In shorter months it runs on the last day.',
  ],
  [
    { ...paris, frequencyType: 'annually', dayOfMonth: 24, month: 12 },
    'Runs every year on December 24 at 2:30 PM, Europe/Paris time.',
  ],
  [
    { ...paris, frequencyType: 'annually', dayOfMonth: 31, month: 4 },
    'Runs every year on April 30 at 2:30 PM, Europe/Paris time.',
  ],
  [
    { ...paris, frequencyType: 'annually', dayOfMonth: 30, month: 2 },
    'Runs every year on February 29 at 2:30 PM, Europe/Paris time. In years without that day it runs on the last day of the month.',
  ],
] as const)('says when %o runs', (schedule, sentence) => {
  expect(scheduleSentence(schedule)).toBe(sentence);
});

it('tells a moment by the clocks of a zone, and by those of UTC when the zone is not known here', () => {
  expect(formatInZone('2026-11-30T08:30:00.000Z', 'Europe/Paris').replace(/\s/gu, ' ')).toBe(
    'Mon, Nov 30, 2026, 9:30 AM GMT+1',
  );
  expect(formatInZone('2026-11-30T08:30:00.000Z', 'Mars/Olympus').replace(/\s/gu, ' ')).toBe(
    'Mon, Nov 30, 2026, 8:30 AM UTC',
  );
  expect(formatInZone('soon', 'Europe/Paris')).toBe('');
});

it.each([
  ['2026-11-30T08:30:42.000Z', '42 sec'],
  ['2026-11-30T08:33:10.000Z', '3 min'],
  ['2026-11-30T10:35:00.000Z', '2 hr'],
  ['2026-11-30T08:29:00.000Z', '0 sec'],
  ['never', ''],
])('says how long it took until %s: %s', (to, text) => {
  expect(formatDuration('2026-11-30T08:30:00.000Z', to)).toBe(text);
});
