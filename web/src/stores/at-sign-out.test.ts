import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Stores with data of this browser, of all users, or of an open dialog, and not of a person. */
const nobodys = [
  'access-store.ts',
  'config-store.ts',
  'connection-store.ts',
  'identity-store.ts',
  'me-store.ts',
  'preferences-store.ts',
  'reference-store.ts',
];

/** The stores: each is a file, or a folder of files. */
const stores = readdirSync(import.meta.dirname, { withFileTypes: true }).filter(
  ({ name }) => !name.includes('.test.'),
);

function textOf(name: string, isFolder: boolean): string {
  const path = join(import.meta.dirname, name);
  const files = isFolder ? readdirSync(path).map((file) => join(path, file)) : [path];
  return files.map((file) => readFileSync(file, 'utf8')).join();
}

it.each(stores.map((entry) => [entry.name, entry.isDirectory()] as const))(
  '%s forgets a person',
  (name, isFolder) => {
    const text = textOf(name, isFolder);
    const holds = /\bproxy(?:<|\()|new Collection/u.test(text);
    if (holds && !nobodys.includes(name)) expect(text).toContain('atSignOut(');
  },
);
