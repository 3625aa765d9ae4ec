import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';

/** A file that a group of pages loads: the given modules with all of their imports. */
export interface PageFile {
  name: string;
  modules: readonly string[];
  /** In addition, what all of these groups of pages need: otherwise it would be in the file of the first one. */
  common?: readonly (readonly string[])[];
}

type Test = (id: string) => boolean;

/**
 * Splits the program by pages instead of into a hundred small files: each group contains what its modules need and
 * no group before it contains. Which modules these are is known only after unused code has been removed, so the
 * program is built once without groups. Each group imports only from those before it, so there are no cycles.
 */
export async function pageFiles(
  files: readonly PageFile[],
  config: InlineConfig,
): Promise<{ name: string; test: Test; priority: number }[]> {
  const chunks = await chunksOf(config);
  const taken = new Set<string>();
  const idsOf = (name: string, modules: readonly string[]): Set<string> =>
    new Set([...closure(chunks, name, modules)].flatMap(({ moduleIds }) => moduleIds));
  return files.map(({ name, modules, common = [] }, place) => {
    const own = idsOf(name, modules);
    const [first = new Set<string>(), ...others] = common.map((pages) => idsOf(name, pages));
    const shared = [...first].filter((id) => others.every((ids) => ids.has(id)));
    const needed = new Set([...own, ...shared].filter((id) => !taken.has(id)));
    for (const id of needed) taken.add(id);
    return { name, test: (id) => needed.has(id), priority: files.length - place };
  });
}

/** The files of a build in which every module is grouped with those that the same pages need. */
async function chunksOf(config: InlineConfig): Promise<Rolldown.OutputChunk[]> {
  let chunks: Rolldown.OutputChunk[] = [];
  const keep: Plugin = {
    name: 'keep-chunks',
    generateBundle(_, bundle) {
      chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    },
  };
  await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    plugins: [...(config.plugins ?? []), keep],
    build: { write: false, minify: false, reportCompressedSize: false },
  });
  return chunks;
}

function closure(
  chunks: readonly Rolldown.OutputChunk[],
  name: string,
  modules: readonly string[],
): Set<Rolldown.OutputChunk> {
  const found = new Set<Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || found.has(chunk)) return;
    found.add(chunk);
    for (const file of chunk.imports) add(chunks.find(({ fileName }) => fileName === file));
  };
  for (const module of modules) {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
    if (!chunk) throw new Error(`${name}: the build has no page in ${module}`);
    add(chunk);
  }
  return found;
}
