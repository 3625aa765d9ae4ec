/** A promise, and the call that resolves it: for answers at a time of the test's choice. */
export interface Hold {
  held: Promise<void>;
  release: () => void;
}

export function hold(): Hold {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  return { held, release };
}
