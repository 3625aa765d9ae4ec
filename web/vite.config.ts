import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const server = process.env['PARLEY_SERVER'] ?? 'http://localhost:8080';

/** One configuration for the build, the dev server and the unit tests. */
export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // The content security policy allows no data: fonts or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
  },
  server: {
    port: 5173,
    proxy: {
      '/api': { target: server, ws: true },
      '/dex': { target: server },
      '/config.json': { target: server },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // A machine of two cores that does other work too is slow, not wrong.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
});
