import { defineConfig } from 'vitest/config';

/** The end-to-end tests: the built server, a real Chromium, one after the other. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    retry: 0,
  },
});
