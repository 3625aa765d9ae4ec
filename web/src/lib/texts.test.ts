import { afterEach, expect, it } from 'vitest';
import { common } from '@/messages/common';
import { german } from '@/messages/german';
import { catalogue, speak } from './texts';

// The build's output for "{count, plural, one {# step} other {# steps}} in {name}".
const steps = [['count', 'plural', { one: ['#', ' step'], other: ['#', ' steps'] }], ' in ', ['name']];
const t = catalogue('try', { steps: steps as unknown as string, plain: 'Plain' });

afterEach(() => speak('en', {}));

it('fills placeholders and chooses the form for the number', () => {
  expect(t('plain')).toBe('Plain');
  expect(t('steps', { count: 1, name: 'Weekly' })).toBe('1 step in Weekly');
  expect(t('steps', { count: 12_000, name: '<b>' })).toBe('12,000 steps in <b>');
});

it('uses another language once it is set', () => {
  expect(common('cancel')).toBe('Cancel');
  speak('de', german);
  expect(common('cancel')).toBe('Abbrechen');
});
