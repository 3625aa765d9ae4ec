/** Something that is waited for, and the call that lets it happen: for answers that come when the test wants them to. */
export interface Hold {
  held: Promise<void>;
  release: () => void;
}

export function hold(): Hold {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  return { held, release };
}
