import { defineConfig } from 'vitest/config';

/** Measures the built page in a real Chromium: `npm run measure`. No test of the product; docs/performance.md has its figures. */
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
