import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { textFiles } from './build/texts.ts';

/** The end-to-end tests: the built server and a real Chromium for each file, four files at a time. */
export default defineConfig({
  // For the one file that runs the app's own stores.
  plugins: [textFiles()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  test: {
    include: ['e2e/**/*.e2e.ts'],
    globalSetup: ['e2e/first-data.ts'],
    environment: 'node',
    // A journey waits for half of its time: three at a time use 43 % of two cores.
    maxWorkers: 4,
    // A file keeps nothing in its modules that another one minds, and the library of the browser is read once for
    // each worker: it takes 1.4 s of a core.
    isolate: false,
    // A machine of two cores that does other work too is slow, not wrong.
    testTimeout: 900_000,
    hookTimeout: 600_000,
    retry: 0,
  },
});
