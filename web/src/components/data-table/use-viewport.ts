import { type RefObject, useEffect, useState } from 'react';

/** What a scrolling box shows at the moment, in px. */
export interface Viewport {
  top: number;
  left: number;
  width: number;
  height: number;
}

/** Follows the scroll position and the size of a box. Until it is laid out, the given size is assumed. */
export function useViewport(
  box: RefObject<HTMLElement | null>,
  assumed: { width: number; height: number },
): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, left: 0, ...assumed });
  const { width, height } = assumed;

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const read = () => {
      setViewport({
        top: element.scrollTop,
        left: element.scrollLeft,
        width: element.clientWidth > 0 ? element.clientWidth : width,
        height: element.clientHeight > 0 ? element.clientHeight : height,
      });
    };
    read();
    element.addEventListener('scroll', read, { passive: true });
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(read);
    observer?.observe(element);
    return () => {
      element.removeEventListener('scroll', read);
      observer?.disconnect();
    };
  }, [box, width, height]);

  return viewport;
}
