import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';

import { Product } from './product';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of a server that has created its database and sample data, and has stopped. */
    firstData: string | undefined;
  }
}

let folder: string | undefined;

/** Creates the initial data of each test server, once for all files. */
export async function setup(project: TestProject): Promise<void> {
  const first = await Product.start();
  folder = await first.end();
  project.provide('firstData', folder);
}

/** Deletes it at the end. */
export async function teardown(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
