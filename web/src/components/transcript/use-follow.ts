import { useCallback, useEffect, useRef, useState } from 'react';

// Within this many px of the end, the reader counts as being at the end.
const nearEnd = 24;

/** Keeps a scrolling list at its end for as long as the reader is there. */
export interface Follow {
  /** True while the end is in view. */
  atEnd: boolean;
  /** Hands over the scrolling element. */
  setScroller: (element: HTMLElement | Window | null) => void;
  /** To be called when the list has grown. */
  onGrow: () => void;
  /** Goes to the end and stays there. */
  toEnd: () => void;
}

/**
 * Follows the end of a list. Any movement upwards by the reader lets go at once, so that a fast stream never pulls
 * the text from under the eyes; reaching the end again takes hold again.
 */
export function useFollow(startsAtEnd: boolean): Follow {
  const [scroller, setElement] = useState<HTMLElement | null>(null);
  const [atEnd, setAtEnd] = useState(startsAtEnd);
  const following = useRef(startsAtEnd);

  useEffect(() => {
    if (scroller === null) return undefined;
    let top = scroller.scrollTop;
    let height = scroller.scrollHeight;
    const read = () => {
      const gap = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
      // A list that got shorter moves up by itself; that is not the reader's doing.
      const wentUp = scroller.scrollTop < top - 1 && scroller.scrollHeight >= height;
      if (gap <= nearEnd) following.current = true;
      else if (wentUp) following.current = false;
      top = scroller.scrollTop;
      height = scroller.scrollHeight;
      setAtEnd(following.current || gap <= nearEnd);
    };
    const letGo = (event: WheelEvent) => {
      if (event.deltaY < 0) following.current = false;
    };
    scroller.addEventListener('scroll', read, { passive: true });
    scroller.addEventListener('wheel', letGo, { passive: true });
    return () => {
      scroller.removeEventListener('scroll', read);
      scroller.removeEventListener('wheel', letGo);
    };
  }, [scroller]);

  const setScroller = useCallback((element: HTMLElement | Window | null) => {
    setElement(element instanceof HTMLElement ? element : null);
  }, []);

  const onGrow = useCallback(() => {
    if (scroller !== null && following.current) scroller.scrollTop = scroller.scrollHeight;
  }, [scroller]);

  const toEnd = useCallback(() => {
    following.current = true;
    if (scroller !== null) scroller.scrollTop = scroller.scrollHeight;
  }, [scroller]);

  return { atEnd, setScroller, onGrow, toEnd };
}
