import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
  globalThis.onmessage = null;
});

it('begins in a worker, which has no storage', async () => {
  vi.resetModules();
  vi.stubGlobal('localStorage', undefined);
  await import('./table-worker');
  expect(globalThis.onmessage).toBeTypeOf('function');
});
