import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Takes the source maps out of what is served and keeps them beside it: an operator reads error reports with them. */
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
