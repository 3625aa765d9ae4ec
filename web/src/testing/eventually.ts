import { vi } from 'vitest';

/**
 * How long a condition may take before a test fails. No test waits for the whole time: a busy machine is slow, but
 * not wrong.
 */
export const patience = 60_000;

/** Repeats the check until it passes. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: patience });
}
