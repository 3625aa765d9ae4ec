import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { compressed } from './build/compressed.ts';
import { sourceMapsAside } from './build/source-maps.ts';
import { usedStylesOnly } from './build/styles.ts';
import { textFiles } from './build/texts.ts';
import { weighed, type Budget } from './build/weight.ts';

const server = process.env['PARLEY_SERVER'] ?? 'http://localhost:8080';

const home = ['app/inside.tsx', 'features/home/home-page.tsx'];
const conversation = [
  'app/inside.tsx',
  'features/conversations/conversations-layout.tsx',
  'features/conversations/conversation-page.tsx',
  'components/markdown/markdown-pieces.tsx',
  'highcharts/highcharts.js',
];
const budgets: Budget[] = [
  { page: 'sign-in', modules: ['features/auth/login-page.tsx'], scripts: 150, styles: 25, files: 60 },
  { page: 'home', modules: home, scripts: 260, styles: 40, files: 120 },
  { page: 'a conversation with a chart', modules: conversation, scripts: 480, styles: 40, files: 140 },
];

/** One configuration for the build, the dev server and the unit tests. */
export default defineConfig({
  plugins: [
    textFiles(),
    react(),
    usedStylesOnly(),
    weighed(budgets),
    sourceMapsAside('dist-maps'),
    compressed(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The server writes a nonce of its own there with each answer: what libraries write into style elements carries it.
  html: { cspNonce: '{{nonce}}' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Kept beside the build for reading error reports; no page names them.
    sourcemap: 'hidden',
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
