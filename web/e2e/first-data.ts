import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';

import { Product } from './product';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of a server that has made its database and sample data, and has ended. */
    firstData: string | undefined;
  }
}

let folder: string | undefined;

/** Makes what each server of the journeys begins with, once for all files. */
export async function setup(project: TestProject): Promise<void> {
  const first = await Product.start();
  folder = await first.end();
  project.provide('firstData', folder);
}

/** Takes it away at the end. */
export async function teardown(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
