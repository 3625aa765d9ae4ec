import { useMemo, useState } from 'react';
import type { ScrollSeekConfiguration } from 'react-virtuoso';

// In px of a tenth of a second. Faster than that nobody reads, and turns drawn for nothing would make the list stutter.
const flingFrom = 4_000;
const flingTo = 1_000;

/** In px: what is drawn above and below the view, so that who reads on never meets a blank. */
const around = { top: 600, bottom: 300 };
const nothing = { top: 0, bottom: 0 };

/** What a transcript draws around its view, and how it tells a fling. */
export interface Margin {
  px: { readonly top: number; readonly bottom: number };
  fling: ScrollSeekConfiguration;
}

/**
 * During a fling nothing is drawn around the view, and where it ends only what is in view: that with what is around it
 * was the longest task of a fling (docs/performance.md). What is around comes with the next slower movement, not by
 * itself: only while it moves upwards does the list make up for turns above that are not as tall as it thought.
 */
export function useMargin(): Margin {
  const [isFlung, setFlung] = useState(false);
  const fling = useMemo<ScrollSeekConfiguration>(
    () => ({
      // Asked with each speed, also the slow ones and 0 at the end, as long as nothing is flung; `exit` as long as it is.
      enter: (speed) => {
        const enters = Math.abs(speed) > flingFrom;
        if (speed !== 0) setFlung(enters);
        return enters;
      },
      exit: (speed) => Math.abs(speed) < flingTo,
    }),
    [],
  );
  return { px: isFlung ? nothing : around, fling };
}
