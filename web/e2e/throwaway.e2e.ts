import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { mark, prefix, sweep } from './throwaway';

let base: string;

beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'parley-sweep-'));
});

afterAll(async () => {
  await rm(base, { recursive: true, force: true });
});

async function folder(name: string): Promise<string> {
  const made = path.join(base, name);
  await mkdir(path.join(made, 'postgres/postgres'), { recursive: true });
  return made;
}

test('what a killed run left goes, and nothing else', async () => {
  const own = await folder(`${prefix}own`);
  await mark(own, undefined);
  const data = await folder(`${prefix}data`);
  const elsewhere = await folder('data');
  await mark(elsewhere, undefined);

  // A run that was killed, with a server that is still running; then the server ends as well.
  const left = await folder(`${prefix}left`);
  const server = spawn('sleep', ['600']);
  await once(server, 'spawn');
  await mark(left, server.pid);
  const file = path.join(left, '.throwaway');
  const [, second = ''] = (await readFile(file, 'utf8')).split('\n');
  // The pid of the killed process is now that of this process.
  await writeFile(file, `${process.pid} 1 another-boot\n${second}`);
  await sweep(base);
  expect([own, data, elsewhere, left].map((made) => existsSync(made))).toEqual([true, true, true, true]);

  server.kill('SIGKILL');
  await once(server, 'exit');
  await writeFile(path.join(left, 'postgres/postgres/postmaster.pid'), `${process.pid}\n`);
  await sweep(base);
  expect(existsSync(left), 'a database that runs is left alone').toBe(true);
  await rm(path.join(left, 'postgres/postgres/postmaster.pid'));
  await Promise.all([sweep(base), sweep(base)]);
  expect([own, data, elsewhere, left].map((made) => existsSync(made))).toEqual([true, true, true, false]);
});
