import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * The maximum size of one page when it is opened with an empty cache, in kB of 1,000 bytes as the server sends them
 * (brotli).
 */
export interface Budget {
  page: string;
  /** The modules that its address loads, in addition to the program itself. */
  modules: readonly string[];
  scripts: number;
  styles: number;
  /** Scripts and style sheets together. */
  files: number;
}

interface Chunk {
  fileName: string;
  code: string;
  imports: string[];
  facadeModuleId: string | null;
  moduleIds: string[];
  isEntry: boolean;
  viteMetadata?: { importedCss: Set<string> } | undefined;
}

/** Fails the build if a page has become too large, and reports which limit is exceeded. */
export function weighed(budgets: readonly Budget[]): Plugin {
  return {
    name: 'weighed',
    apply: 'build',
    enforce: 'post',
    // It runs after all plugins that change a file.
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk') as unknown as Chunk[];
        const sizes = new Map<string, number>();
        const size = (name: string): number => {
          const known = sizes.get(name);
          if (known !== undefined) return known;
          const file = bundle[name];
          const content = file?.type === 'chunk' ? file.code : (file?.source ?? '');
          const made = brotliCompressSync(content).length;
          sizes.set(name, made);
          return made;
        };
        const kB = (names: Iterable<string>): number =>
          Math.round([...names].reduce((sum, name) => sum + size(name), 0) / 100) / 10;
        const faults = budgets.flatMap((budget) => {
          const scripts = new Set<string>();
          const styles = new Set<string>();
          const walk = (chunk: Chunk | undefined): void => {
            if (!chunk || scripts.has(chunk.fileName)) return;
            scripts.add(chunk.fileName);
            for (const name of chunk.viteMetadata?.importedCss ?? []) styles.add(name);
            for (const name of chunk.imports) walk(chunks.find(({ fileName }) => fileName === name));
          };
          walk(chunks.find(({ isEntry }) => isEntry));
          for (const module of budget.modules) {
            // A module that is in the file of its importer has no separate file.
            const chunk =
              chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module)) ??
              chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
            if (!chunk) this.error(`${budget.page}: the build has no module ${module}`);
            walk(chunk);
          }
          const weighed = { scripts: kB(scripts), styles: kB(styles), files: scripts.size + styles.size };
          this.info(
            `${budget.page}: ${weighed.scripts} kB scripts, ${weighed.styles} kB styles, ${weighed.files} files`,
          );
          const over = (['scripts', 'styles', 'files'] as const).filter(
            (what) => weighed[what] > budget[what],
          );
          if (over.length === 0) return [];
          const heaviest = [...scripts, ...styles].sort((a, b) => size(b) - size(a)).slice(0, 8);
          return [
            `${budget.page}: ${over.map((what) => `${weighed[what]} ${what}, at most ${budget[what]}`).join('; ')}`,
            ...heaviest.map((name) => `  ${kB([name])} kB ${name}`),
          ];
        });
        if (faults.length > 0) this.error(['the build is over its budget', ...faults].join('\n'));
      },
    },
  };
}
