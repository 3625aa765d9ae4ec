import type { CSSProperties } from 'react';

const count = 8;

/** The colour of a part, for the ring and for the dot of its row, as `--slice`. */
export function sliceStyle(color: number | string | null): CSSProperties {
  if (color === null) return {};
  const value = typeof color === 'number' ? `var(--slice-${color % count})` : color;
  return { ['--slice' as string]: value };
}
