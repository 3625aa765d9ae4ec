import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The prefix of the folders of these tests. */
export const prefix = 'parley-e2e-';

/** The file that marks a folder to be deleted when its owners have ended. */
const markName = '.throwaway';

/**
 * Identifies a process uniquely: its pid, its start time, and the id of the boot to which the time refers. If the
 * system does not provide these, only the pid is used.
 */
async function identity(pid: number): Promise<string> {
  const read = (file: string) => readFile(file, 'utf8').catch(() => '');
  const stat = await read(`/proc/${pid}/stat`);
  // The program's name is in parentheses and may contain any character.
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

/** Writes the owners of a folder: this process, and the server that uses it. */
export async function mark(folder: string, server: number | undefined): Promise<void> {
  const owners = [process.pid, ...(server === undefined ? [] : [server])];
  await writeFile(path.join(folder, markName), (await Promise.all(owners.map(identity))).join('\n'));
}

/** Whether a database server is running on the database of a folder. */
async function served(folder: string): Promise<boolean> {
  const file = path.join(folder, 'postgres/postgres/postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  return pid > 0 && alive(pid);
}

/**
 * Removes the folders of earlier runs that were killed. A folder without a mark, with a living owner, or with a
 * running database server is not touched.
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
    // Another process may be deleting it, too.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
