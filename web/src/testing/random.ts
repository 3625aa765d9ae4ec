/** Random numbers that can be repeated with a seed (mulberry32), for tests that print their seed when they fail. */
export interface Random {
  /** From 0 up to 1. */
  next: () => number;
  /** A whole number from 0 up to, not including, `limit`. */
  below: (limit: number) => number;
  /** True with this probability. */
  chance: (share: number) => boolean;
  /** One of these; there must be at least one. */
  pick: <T>(from: readonly T[]) => T;
}

export function seeded(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, chance: (share) => next() < share, pick: (from) => from[below(from.length)]! };
}
