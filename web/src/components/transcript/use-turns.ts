import { useMemo, useState } from 'react';
import { newAnchor, nextAnchor } from './first-index';
import type { TranscriptMessage } from './message';
import type { EarlierMessages } from './transcript-parts';
import { type Grouping, groupTurns, type Turn } from './turns';

/** The turns to show; those that did not change are the same objects as before. */
export function useTurns(messages: readonly TranscriptMessage[], earlier: EarlierMessages): readonly Turn[] {
  const [held, setHeld] = useState<Grouping>(() => groupTurns(messages));
  const grouping = groupTurns(messages, held);
  // Set while rendering: the next grouping starts from the one that is shown now.
  if (grouping !== held) setHeld(grouping);
  const { turns } = grouping;
  return useMemo(() => whole(turns, earlier), [turns, earlier]);
}

/**
 * A page may begin in the middle of a turn. As long as its beginning can still be loaded, the turn is not shown, so
 * that the visible content does not grow upwards.
 */
export function whole(turns: readonly Turn[], earlier: EarlierMessages): readonly Turn[] {
  const waits = (earlier === 'idle' || earlier === 'loading') && turns.length > 1;
  return waits && turns[0]?.question === null ? turns.slice(1) : turns;
}

/** The first index of the list, in a numbering that does not change when earlier turns are added in front. */
export function useFirstIndex(turns: readonly Turn[]): number {
  const [anchor, setAnchor] = useState(() => newAnchor(turns.map((turn) => turn.key)));
  if ((turns[0]?.key ?? null) === anchor.firstId) return anchor.firstIndex;
  // Set while rendering, so that the list never sees new turns with the old numbering.
  const next = nextAnchor(
    anchor,
    turns.map((turn) => turn.key),
  );
  setAnchor(next);
  return next.firstIndex;
}
