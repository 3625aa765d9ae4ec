import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Moves the source maps out of the served folder to a folder next to it: an operator needs them to read error
 * reports.
 */
export function sourceMapsAside(folder: string): Plugin {
  return {
    name: 'source-maps-aside',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      await rm(folder, { recursive: true, force: true });
      const names = (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.map'));
      for (const name of names) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await rename(join(dir, name), join(folder, name));
      }
    },
  };
}
