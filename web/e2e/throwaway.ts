import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** How the folders of these tests begin. */
export const prefix = 'parley-e2e-';

/** The file by which a folder is known as one that goes with its owners. */
const markName = '.throwaway';

/**
 * Names a process for good: its number, the moment at which it began, and the
 * boot since which that counts. Where the system does not tell, the number is
 * all there is.
 */
async function identity(pid: number): Promise<string> {
  const read = (file: string) => readFile(file, 'utf8').catch(() => '');
  const stat = await read(`/proc/${pid}/stat`);
  // The program's name stands in parentheses and may hold any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return `${pid} ${fields[19] ?? ''} ${(await read('/proc/sys/kernel/random/boot_id')).trim()}`;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Says who owns a folder: this process, and the server that works in it. */
export async function mark(folder: string, server: number | undefined): Promise<void> {
  const owners = [process.pid, ...(server === undefined ? [] : [server])];
  await writeFile(path.join(folder, markName), (await Promise.all(owners.map(identity))).join('\n'));
}

/** The number of the server that works on the database of a folder, if one does. */
async function served(folder: string): Promise<boolean> {
  const file = path.join(folder, 'postgres/postgres/postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  return pid > 0 && alive(pid);
}

/**
 * Removes the folders of earlier runs that were killed. One that has no mark, an
 * owner that lives, or a database server that still runs is left alone.
 */
export async function sweep(base: string = tmpdir()): Promise<void> {
  for (const name of await readdir(base)) {
    const folder = path.join(base, name);
    const owners = await readFile(path.join(folder, markName), 'utf8').catch(() => undefined);
    if (!name.startsWith(prefix) || owners === undefined || owners.trim() === '') continue;
    const living = await Promise.all(
      owners.split('\n').map(async (owner) => {
        const pid = Number.parseInt(owner, 10);
        return !(pid > 0) || (alive(pid) && (await identity(pid)) === owner);
      }),
    );
    if (living.includes(true) || (await served(folder))) continue;
    // Somebody else may be at it, too.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
