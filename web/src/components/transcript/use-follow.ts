import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

// Within this many px of the end, the reader counts as being at the end.
const nearEnd = 24;
// A smooth scroll upwards needs this long to leave the end; until then the end must not be followed again.
const headStartMs = 400;
// The list forgets the direction of its movement after 50 ms without moving; this is that time with a margin.
const settleMs = 200;

// The beginning of a turn is placed this far below the edge, in px.
const roomAbove = 12;

const upwardKeys: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);
const downwardKeys: ReadonlySet<string> = new Set(['ArrowDown', 'PageDown', 'End', ' ']);

/**
 * What is followed: the last turn, whose beginning stays in view however long it grows; the end of the list, which
 * a reader asked for; or nothing, because the reader scrolled elsewhere.
 */
type Followed = 'turn' | 'end' | 'nothing';

/** Keeps a scrolling list at its last turn for as long as the reader is there. */
export interface Follow {
  /** True while the followed turn or the end is in view, or about to be: then no jump is offered. */
  isThere: boolean;
  /** Sets the scrolling element. */
  setScroller: (element: HTMLElement | Window | null) => void;
  /** Scrolls to the end and stays there. */
  toEnd: () => void;
  /** Scrolls to the last turn, and shows as much of it as fits, from its beginning on. */
  toLastTurn: () => void;
  /** Stops following, for example because a link was opened. */
  letGo: () => void;
  /** Whether the list moved up a moment ago. Not for rendering. */
  isMovingUp: () => boolean;
}

/**
 * Follows the last turn of a list: the answer is at its beginning, and must not be pushed out of view by what is
 * added below it. Only actions of the reader stop the following (wheel, keys, touch, scroll bar, search), because
 * the list also moves by itself while it measures its items. When the reader returns to the end, the end is
 * followed until the next question. `lastTurn` is the key of that turn, and its element has it as `data-turn`.
 */
export function useFollow(startsAtEnd: boolean, lastTurn: string | undefined): Follow {
  const [scroller, setElement] = useState<HTMLElement | null>(null);
  const [isThere, setThere] = useState(startsAtEnd);
  const followed = useRef<Followed>(startsAtEnd ? 'turn' : 'nothing');
  const leftAt = useRef(Number.NEGATIVE_INFINITY);
  const movedUpAt = useRef(Number.NEGATIVE_INFINITY);
  const seen = useRef({ top: 0, height: 0 });
  const lastKey = useRef(lastTurn);
  useLayoutEffect(() => {
    lastKey.current = lastTurn;
  }, [lastTurn]);

  /** The distance from the lower edge of the view to the end, in px. */
  const gap = useCallback(
    () => (scroller === null ? 0 : scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop),
    [scroller],
  );

  /** The distance of the followed turn or end from its intended position, in px; positive if it must move up. */
  const away = useCallback(() => {
    if (scroller === null) return 0;
    // The turn is not rendered right after its question was sent, and while the reader is far above it.
    const last =
      followed.current === 'turn' && lastKey.current !== undefined
        ? scroller.querySelector(`[data-turn="${CSS.escape(lastKey.current)}"]`)
        : null;
    if (last === null) return gap();
    const above = last.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    return Math.min(gap(), above - roomAbove);
  }, [scroller, gap]);

  const updateThere = useCallback(() => {
    setThere(followed.current !== 'nothing' || gap() <= nearEnd);
  }, [gap]);

  /**
   * Scrolls to what is followed, and records the position, so that this scroll is not taken for an action of the
   * reader.
   */
  const follow = useCallback(() => {
    if (scroller === null) return;
    if (followed.current !== 'nothing') {
      const by = away();
      // Less than a pixel is rounding, and a scroll to the current position would cause another event.
      if (Math.abs(by) >= 1) scroller.scrollTo({ top: scroller.scrollTop + by });
    }
    seen.current = { top: scroller.scrollTop, height: scroller.scrollHeight };
    updateThere();
  }, [scroller, away, updateThere]);

  useEffect(() => {
    if (scroller === null) return undefined;
    let isRelaid = false;
    let relaidAt = Number.NEGATIVE_INFINITY;
    const leave = () => {
      if (scroller.scrollTop <= 0) return;
      followed.current = 'nothing';
      leftAt.current = performance.now();
      movedUpAt.current = performance.now();
    };
    // A person who continues to read below the beginning of the last turn is not scrolled back to it.
    const readOn = () => {
      if (followed.current === 'turn' && gap() > 0) followed.current = 'nothing';
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0) leave();
      else if (event.deltaY > 0) readOn();
    };
    const onKey = (event: KeyboardEvent) => {
      if (upwardKeys.has(event.key)) leave();
      else if (downwardKeys.has(event.key)) readOn();
    };
    const onTouch = () => {
      leave();
      readOn();
    };
    const onPress = (event: PointerEvent) => {
      // The list itself is only the target for a press on its scroll bar; everywhere else there are messages on top
      // of it.
      if (event.target === scroller) onTouch();
    };
    const onScroll = () => {
      const { scrollTop, scrollHeight } = scroller;
      const isOff = Math.abs(away()) > nearEnd;
      if (isRelaid && followed.current !== 'nothing' && isOff) {
        // The list removed its items and added them again: for a moment it was too short for its scroll position.
        follow();
        return;
      }
      // It moved although no size changed: by the browser's search, a screen reader, or a change of focus. While
      // the list still measures its items, it moves by itself, too.
      const isQuiet = performance.now() - relaidAt > settleMs;
      const by = scrollTop - seen.current.top;
      if (isQuiet && isOff && Math.abs(by) > nearEnd && scrollHeight === seen.current.height)
        followed.current = 'nothing';
      if (by < 0) movedUpAt.current = performance.now();
      seen.current = { top: scrollTop, height: scrollHeight };
      const isBack = gap() <= nearEnd && performance.now() - leftAt.current > headStartMs;
      if (isBack && followed.current === 'nothing') followed.current = 'end';
      updateThere();
    };
    // Runs between layout and paint: a new line is never below the edge, not even for a frame.
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(follow);
    const content = scroller.querySelector('[role="feed"]');
    // Including its padding, which is the height of the messages that are too far away to be rendered.
    if (content !== null) observer?.observe(content, { box: 'border-box' });
    // The scroll events that a change causes arrive before the next frame, those of the reader at any time.
    const relaid = new MutationObserver(() => {
      isRelaid = true;
      relaidAt = performance.now();
      requestAnimationFrame(() => {
        isRelaid = false;
      });
    });
    if (content !== null) relaid.observe(content, { childList: true, attributeFilter: ['style'] });
    // In the capture phase, before the list renders other items for the new position and so changes its height.
    const quiet = { passive: true, capture: true };
    scroller.addEventListener('wheel', onWheel, quiet);
    scroller.addEventListener('keydown', onKey, quiet);
    scroller.addEventListener('touchmove', onTouch, quiet);
    scroller.addEventListener('pointerdown', onPress, quiet);
    scroller.addEventListener('scroll', onScroll, quiet);
    return () => {
      observer?.disconnect();
      relaid.disconnect();
      scroller.removeEventListener('wheel', onWheel, quiet);
      scroller.removeEventListener('keydown', onKey, quiet);
      scroller.removeEventListener('touchmove', onTouch, quiet);
      scroller.removeEventListener('pointerdown', onPress, quiet);
      scroller.removeEventListener('scroll', onScroll, quiet);
    };
  }, [scroller, gap, away, follow, updateThere]);

  const setScroller = useCallback((element: HTMLElement | Window | null) => {
    setElement(element instanceof HTMLElement ? element : null);
  }, []);

  const toEnd = useCallback(() => {
    followed.current = 'end';
    follow();
  }, [follow]);

  const toLastTurn = useCallback(() => {
    followed.current = 'turn';
    follow();
  }, [follow]);

  const letGo = useCallback(() => {
    followed.current = 'nothing';
  }, []);

  const isMovingUp = useCallback(() => performance.now() - movedUpAt.current < settleMs, []);

  return { isThere, setScroller, toEnd, toLastTurn, letGo, isMovingUp };
}
