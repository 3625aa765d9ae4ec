import { afterAll } from 'vitest';

/** What a test opens and must stop: a server, a proxy, a model. */
interface Stoppable {
  stop(): Promise<void>;
}

/** Returns what is being opened, and registers it to be stopped. */
export type Opened = <T extends Stoppable>(opening: Promise<T>) => Promise<T>;

/**
 * Stops everything that is passed to it when the tests of the file have ended, the last one first. It does so even
 * if the setup has failed half-way, and continues if one cannot be stopped.
 */
export function stoppedAtTheEnd(): Opened {
  const all: Promise<Stoppable | undefined>[] = [];
  afterAll(async () => {
    const faults: unknown[] = [];
    for (const opening of all.reverse()) {
      const one = await opening;
      await one?.stop().catch((fault: unknown) => faults.push(fault));
    }
    if (faults.length > 0) throw new AggregateError(faults, 'not everything could be stopped');
  });
  return (opening) => {
    // The caller that awaits it gets the error.
    all.push(opening.catch(() => undefined));
    return opening;
  };
}
