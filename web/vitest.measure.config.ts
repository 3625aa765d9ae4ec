import { defineConfig } from 'vitest/config';

/**
 * Measures the built page in a real Chromium: `npm run measure`. It says of each aim whether it is met, and ends with 1 if one
 * is missed. It is no part of the tests: it takes long, and docs/performance.md has its figures.
 */
export default defineConfig({
  test: {
    include: ['e2e/**/*.measure.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    retry: 0,
  },
});
