import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { textFiles } from './build/texts.ts';

/** What takes long, or is measured, with the built product: `npm run measure`. docs/performance.md has its figures. */
export default defineConfig({
  // For the one file that runs the app's own stores.
  plugins: [textFiles()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  test: {
    include: ['e2e/**/*.measure.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    retry: 0,
  },
});
