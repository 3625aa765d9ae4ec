import { vi } from 'vitest';

/**
 * How long anything may take before a test gives up on it. Nothing waits for it
 * to pass: a busy machine is slow, not wrong.
 */
export const patience = 60_000;

/** Asks again and again until the check holds. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: patience });
}
