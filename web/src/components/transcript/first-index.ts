// Counting down from here leaves enough numbers for all older messages that a person will load.
const base = 1_000_000;

/** The first index of the list, in a numbering that does not change when older messages are added in front. */
export interface Anchor {
  firstId: string | null;
  firstIndex: number;
}

/** The anchor of a list that was just opened. */
export function newAnchor(ids: readonly string[]): Anchor {
  return { firstId: ids[0] ?? null, firstIndex: base };
}

/**
 * The anchor after the list changed. If the message that was first now has others before it, the numbering starts
 * that much earlier; this tells the list to keep the reader's position.
 */
export function nextAnchor(anchor: Anchor, ids: readonly string[]): Anchor {
  const first = ids[0] ?? null;
  if (first === anchor.firstId) return anchor;
  const before = anchor.firstId === null ? 0 : ids.indexOf(anchor.firstId);
  return { firstId: first, firstIndex: before > 0 ? anchor.firstIndex - before : anchor.firstIndex };
}
