import { type RefObject, useEffect, useState } from 'react';

/** The width of an element in px, followed as it changes; until it is laid out, the assumed one. */
export function useWidth(element: RefObject<HTMLElement | null>, assumed: number): number {
  const [width, setWidth] = useState(assumed);
  useEffect(() => {
    const box = element.current;
    if (box === null) return undefined;
    const read = () => {
      if (box.clientWidth > 0) setWidth(box.clientWidth);
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
