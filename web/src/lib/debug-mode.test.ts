import { afterEach, expect, it } from 'vitest';
import { isDebugMode, setDebugMode } from './debug-mode';

afterEach(() => localStorage.clear());

it('is off until it is turned on, and again afterwards', () => {
  expect(isDebugMode()).toBe(false);
  setDebugMode(true);
  expect(isDebugMode()).toBe(true);
  setDebugMode(false);
  expect(isDebugMode()).toBe(false);
});
