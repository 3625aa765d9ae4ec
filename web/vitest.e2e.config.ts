import { defineConfig } from 'vitest/config';

/** The end-to-end tests: the built server, a real Chromium, one after the other. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    environment: 'node',
    fileParallelism: false,
    // A machine of two cores that does other work too is slow, not wrong.
    testTimeout: 900_000,
    hookTimeout: 600_000,
    retry: 0,
  },
});
