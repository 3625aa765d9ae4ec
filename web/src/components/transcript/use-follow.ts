import { useCallback, useEffect, useRef, useState } from 'react';

// Within this many px of the end, the reader counts as being at the end.
const nearEnd = 24;
// A smooth scroll upwards needs this long to get away from the end; until then it must not be caught again.
const headStartMs = 400;
// The list forgets which way it moved after 50 ms without moving; this is that with room to spare.
const settleMs = 200;

const upwardKeys: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/** Keeps a scrolling list at its end for as long as the reader is there. */
export interface Follow {
  /** True while the end is in view. */
  atEnd: boolean;
  /** Hands over the scrolling element. */
  setScroller: (element: HTMLElement | Window | null) => void;
  /** Goes to the end and stays there. */
  toEnd: () => void;
  /** Stays where it is, for example because a link led there. */
  letGo: () => void;
  /** Whether the list moved up a moment ago. Not for rendering. */
  isMovingUp: () => boolean;
}

/**
 * Follows the end of a list. Only what the reader does lets go of it (wheel, keys, touch, scroll bar, search), for
 * the list also moves by itself while it measures its items. Coming back to the end takes hold again.
 */
export function useFollow(startsAtEnd: boolean): Follow {
  const [scroller, setElement] = useState<HTMLElement | null>(null);
  const [atEnd, setAtEnd] = useState(startsAtEnd);
  const following = useRef(startsAtEnd);
  const leftAt = useRef(Number.NEGATIVE_INFINITY);
  const movedUpAt = useRef(Number.NEGATIVE_INFINITY);
  const seen = useRef({ top: 0, height: 0 });

  const gap = useCallback(
    () => (scroller === null ? 0 : scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop),
    [scroller],
  );

  useEffect(() => {
    if (scroller === null) return undefined;
    let isRelaid = false;
    let relaidAt = Number.NEGATIVE_INFINITY;
    const leave = () => {
      if (scroller.scrollTop <= 0) return;
      following.current = false;
      leftAt.current = performance.now();
      movedUpAt.current = performance.now();
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0) leave();
    };
    const onKey = (event: KeyboardEvent) => {
      if (upwardKeys.has(event.key)) leave();
    };
    const onPress = (event: PointerEvent) => {
      // The list itself is only hit on its scroll bar; everywhere else there are messages on top of it.
      if (event.target === scroller) leave();
    };
    const onScroll = () => {
      const isNear = gap() <= nearEnd;
      const { scrollTop, scrollHeight } = scroller;
      if (isRelaid && following.current && !isNear) {
        // The list took its items out and put them back: for a moment it was too short for where it stood.
        scroller.scrollTop = scrollHeight;
        return;
      }
      // Moved up while nothing changed its size: the browser's search, or a reading aid.
      // While the list still measures its items it moves by itself, too.
      const isQuiet = performance.now() - relaidAt > settleMs;
      if (isQuiet && scrollTop < seen.current.top - nearEnd && scrollHeight === seen.current.height)
        following.current = false;
      if (scrollTop < seen.current.top) movedUpAt.current = performance.now();
      seen.current = { top: scrollTop, height: scrollHeight };
      if (isNear && performance.now() - leftAt.current > headStartMs) following.current = true;
      setAtEnd(following.current || isNear);
    };
    const onGrow = () => {
      if (following.current) scroller.scrollTop = scroller.scrollHeight;
      seen.current = { top: scroller.scrollTop, height: scroller.scrollHeight };
      setAtEnd(following.current || gap() <= nearEnd);
    };
    // Runs between layout and paint: a new line never stands below the edge, not even for a frame.
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(onGrow);
    const content = scroller.querySelector('[role="feed"]');
    // With its padding: that is the height of the messages that are too far away to be rendered.
    if (content !== null) observer?.observe(content, { box: 'border-box' });
    // The scroll events that a change brings about come before the next frame, the reader's at any time.
    const relaid = new MutationObserver(() => {
      isRelaid = true;
      relaidAt = performance.now();
      requestAnimationFrame(() => {
        isRelaid = false;
      });
    });
    if (content !== null) relaid.observe(content, { childList: true, attributeFilter: ['style'] });
    // First in line, before the list renders other items for the new position and changes its height by that.
    const quiet = { passive: true, capture: true };
    scroller.addEventListener('wheel', onWheel, quiet);
    scroller.addEventListener('keydown', onKey, quiet);
    scroller.addEventListener('touchmove', leave, quiet);
    scroller.addEventListener('pointerdown', onPress, quiet);
    scroller.addEventListener('scroll', onScroll, quiet);
    return () => {
      observer?.disconnect();
      relaid.disconnect();
      scroller.removeEventListener('wheel', onWheel, quiet);
      scroller.removeEventListener('keydown', onKey, quiet);
      scroller.removeEventListener('touchmove', leave, quiet);
      scroller.removeEventListener('pointerdown', onPress, quiet);
      scroller.removeEventListener('scroll', onScroll, quiet);
    };
  }, [scroller, gap]);

  const setScroller = useCallback((element: HTMLElement | Window | null) => {
    setElement(element instanceof HTMLElement ? element : null);
  }, []);

  const toEnd = useCallback(() => {
    following.current = true;
    setAtEnd(true);
    scroller?.scrollTo({ top: scroller.scrollHeight });
  }, [scroller]);

  const letGo = useCallback(() => {
    following.current = false;
  }, []);

  const isMovingUp = useCallback(() => performance.now() - movedUpAt.current < settleMs, []);

  return { atEnd, setScroller, toEnd, letGo, isMovingUp };
}
