import { expect, it, vi } from 'vitest';

it.each([
  ['en', '2:30 PM'],
  ['de', '14:30'],
])('writes a time of a schedule in %s as %s', async (language, written) => {
  // Formats are made once, when the module is loaded.
  vi.resetModules();
  localStorage.setItem('parley.language', language);
  const { formatClock } = await import('./calendar');
  expect(formatClock('14:30').replace(/\s/gu, ' ')).toBe(written);
});
