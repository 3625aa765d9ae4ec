import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { weights } from './build/budgets.ts';
import { compressed } from './build/compressed.ts';
import { sourceMapsAside } from './build/source-maps.ts';
import { usedStylesOnly } from './build/styles.ts';
import { pageFiles } from './build/page-files.ts';
import { textFiles } from './build/texts.ts';
import { weighed, type Budget } from './build/weight.ts';

const server = process.env['PARLEY_SERVER'] ?? 'http://localhost:8080';

const inside = ['app/inside.tsx'];
const home = ['features/home/home-page.tsx'];
const conversation = ['features/conversations/conversation-pages.ts'];
const markdown = ['components/markdown/markdown-pieces.tsx'];
const highlight = ['components/code-block/highlight.ts'];
const table = ['components/data-table/rows-table.tsx'];
const signIn = ['features/auth/login-page.tsx'];

const budgets: Budget[] = [
  { page: 'sign-in', modules: signIn, ...weights.signIn, files: 10 },
  { page: 'home', modules: [...inside, ...home], ...weights.home, files: 20 },
  {
    page: 'a conversation with a chart',
    modules: [...inside, ...conversation, ...markdown, ...table, 'components/chart/highcharts.ts'],
    ...weights.conversationWithChart,
    files: 20,
  },
];

const plugins = [textFiles(), react()];
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const resolve = {
  alias: { '@': here('./src'), '@radix-ui/react-tooltip': here('./build/radix-tooltip.ts') },
};

/** One configuration for the build, the dev server and the unit tests. */
export default defineConfig(async ({ command }): Promise<ViteUserConfig> => ({
  plugins: [...plugins, usedStylesOnly(), weighed(budgets), sourceMapsAside('dist-maps'), compressed()],
  resolve,
  // Plugins of the page are not those of workers, and a worker has texts too.
  worker: { plugins: () => [textFiles()] },
  // The server writes a nonce of its own there with each answer: what libraries write into style elements carries it.
  html: { cspNonce: '{{nonce}}' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Kept beside the build for reading error reports; no page names them.
    sourcemap: 'hidden',
    rolldownOptions: {
      output:
        command === 'build'
          ? {
              codeSplitting: {
                includeDependenciesRecursively: false,
                groups: await pageFiles(
                  [
                    { name: 'base', modules: ['index.html', ...signIn] },
                    // On a wide window a table stands beside each chart: of its own it would be two requests more.
                    { name: 'inside', modules: [...inside, ...table], common: [home, conversation] },
                    { name: 'home', modules: home },
                    { name: 'conversation', modules: conversation, common: [markdown, highlight] },
                    // With its parser, which would be one request more.
                    { name: 'markdown', modules: markdown },
                  ],
                  { plugins, resolve },
                ),
              },
            }
          : {},
    },
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
    // Files share threads and a document, and `testing/setup.ts` gives each file both as new: on two cores 195 files
    // take 90 s so, and 260 s where each has a thread of its own. They are dealt out in advance: with one thread more
    // than cores none idles at the end.
    pool: 'threads',
    isolate: false,
    maxWorkers: availableParallelism() + 1,
    // What libraries keep for the whole page is made new for each file only where they are loaded as our own files are.
    server: { deps: { inline: ['sonner', '@lingui/core'] } },
    restoreMocks: true,
    // A machine of two cores that does other work too is slow, not wrong.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
}));
