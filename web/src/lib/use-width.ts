import { type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** The width that was seen last: what comes into view next is most often as wide, and is then drawn once and not twice. */
let seen: number | null = null;

/**
 * The width of an element in px, followed as it changes. Until it is laid out it is the last one that was seen of any
 * element, and for the first one the assumed width. Only the first is asked for its width: that has the page laid out
 * at once, in the middle of a list's work, which was a third of the longest tasks of scrolling (docs/performance.md).
 */
export function useWidth(element: RefObject<HTMLElement | null>, assumed: number): number {
  const [width, setWidth] = useState(() => seen ?? assumed);
  useEffect(() => {
    const box = element.current;
    if (box === null) return undefined;
    const read = () => {
      if (box.clientWidth === 0) return;
      seen = box.clientWidth;
      setWidth(seen);
    };
    if (seen === null) read();
    // It tells between layout and paint, also of the first layout: nothing is seen that is as wide as a guess.
    const observer = new ResizeObserver(() => flushSync(read));
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
