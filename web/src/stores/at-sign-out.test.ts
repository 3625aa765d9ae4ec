import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** What is of this browser, of everybody, or of a dialog while it is open, and not of a person. */
const nobodys = [
  'access-store.ts',
  'config-store.ts',
  'connection-store.ts',
  'identity-store.ts',
  'me-store.ts',
  'preferences-store.ts',
  'reference-store.ts',
];

/** The stores: a file, or a folder of several. */
const stores = readdirSync(import.meta.dirname, { withFileTypes: true }).filter(
  ({ name }) => !name.includes('.test.'),
);

function textOf(name: string, isFolder: boolean): string {
  const path = join(import.meta.dirname, name);
  const files = isFolder ? readdirSync(path).map((file) => join(path, file)) : [path];
  return files.map((file) => readFileSync(file, 'utf8')).join();
}

it.each(stores.map((entry) => [entry.name, entry.isDirectory()] as const))(
  '%s lets go of a person',
  (name, isFolder) => {
    const text = textOf(name, isFolder);
    const holds = /\bproxy(?:<|\()|new Collection/u.test(text);
    if (holds && !nobodys.includes(name)) expect(text).toContain('atSignOut(');
  },
);
