// Counting down from here leaves room for as many older messages as anyone will load.
const base = 1_000_000;

/** Where the list starts, in the numbering that stays the same when older messages are put in front. */
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
 * that much earlier, which is how the list knows that it must not move under the reader.
 */
export function nextAnchor(anchor: Anchor, ids: readonly string[]): Anchor {
  const first = ids[0] ?? null;
  if (first === anchor.firstId) return anchor;
  const before = anchor.firstId === null ? 0 : ids.indexOf(anchor.firstId);
  return { firstId: first, firstIndex: before > 0 ? anchor.firstIndex - before : anchor.firstIndex };
}
