import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { afterFirstLoad } from './after-first-load';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('runs at the first movement, and once', () => {
  const run = vi.fn();
  afterFirstLoad(run);
  expect(run).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('pointermove'));
  window.dispatchEvent(new Event('keydown'));
  vi.advanceTimersByTime(60_000);
  expect(run).toHaveBeenCalledTimes(1);
});

it('runs by itself when nobody moves', () => {
  const run = vi.fn();
  afterFirstLoad(run);
  vi.advanceTimersByTime(10_000);
  expect(run).toHaveBeenCalledTimes(1);
});

it('runs not at all when it is taken back', () => {
  const run = vi.fn();
  afterFirstLoad(run)();
  window.dispatchEvent(new Event('keydown'));
  vi.advanceTimersByTime(60_000);
  expect(run).not.toHaveBeenCalled();
});
