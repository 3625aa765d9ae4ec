import { useMemo, useState } from 'react';
import type { ScrollSeekConfiguration } from 'react-virtuoso';

// In px per tenth of a second. People cannot read at a higher speed, and turns rendered for nothing would make the
// list stutter.
const flingFrom = 4_000;
const flingTo = 1_000;

/**
 * The height that is rendered above and below the view, in px, so that a reader who scrolls on never sees a blank
 * area.
 */
const around = { top: 600, bottom: 300 };
const nothing = { top: 0, bottom: 0 };

/** What a transcript renders around its view, and how a fling is detected. */
export interface Margin {
  px: { readonly top: number; readonly bottom: number };
  fling: ScrollSeekConfiguration;
}

/**
 * During a fling nothing is rendered around the view, and at its end only what is in view: rendering the
 * surroundings as well was the longest task of a fling (docs/performance.md). The surroundings are rendered with
 * the next slower movement, not by themselves: only while it moves upwards does the list compensate for turns above
 * that are not as tall as estimated.
 */
export function useMargin(): Margin {
  const [isFlung, setFlung] = useState(false);
  const fling = useMemo<ScrollSeekConfiguration>(
    () => ({
      // Called with each speed, also slow ones and 0 at the end, as long as there is no fling; `exit` is called
      // during a fling.
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
