import { brotliCompress, constants } from 'node:zlib';
import { promisify } from 'node:util';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);

/** Below this a compressed copy is not worth a file. The same as the server's limit for gzip. */
const smallest = 1024;

/**
 * Writes a brotli copy (`.br`) next to each text file of the build; the server sends it to browsers that accept it.
 */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const names = await readdir(dir, { recursive: true });
      await Promise.all(
        names
          .filter((name) => /\.(?:js|css|html|svg|json)$/u.test(name))
          .map(async (name) => {
            const path = join(dir, name);
            const content = await readFile(path);
            if (content.length < smallest) return;
            const made = await compress(content, {
              params: {
                [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
                [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
              },
            });
            if (made.length < content.length * 0.9) await writeFile(`${path}.br`, made);
          }),
      );
    },
  };
}
