import { type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * The width that was measured last: the next element in view usually has the same width, and is then rendered once
 * and not twice.
 */
let seen: number | null = null;

/**
 * The width of an element in px, followed as it changes. Until it is laid out, it is the width that was measured
 * last of any element, or the assumed width for the first element. Only the first element is measured directly:
 * that forces a layout in the middle of a list's work, which was a third of the longest tasks of scrolling
 * (docs/performance.md).
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
    // The observer reports between layout and paint, also after the first layout, so nothing is visible with an
    // assumed width.
    const observer = new ResizeObserver(() => flushSync(read));
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
