import { useState, type RefCallback } from 'react';

function scrollParentOf(element: HTMLElement): HTMLElement | null {
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (/auto|scroll/u.test(getComputedStyle(box).overflowY)) return box;
  }
  return null;
}

/**
 * What a virtual list must know about its scrolling box to render the entries in view. With a `height` it scrolls
 * by itself; else it scrolls with a parent, for which `ref` must be set on an element around the list.
 */
export function useScroller(height: number | undefined) {
  const [parent, setParent] = useState<HTMLElement | null>(null);
  const [ref] = useState<RefCallback<HTMLElement>>(() => (element: HTMLElement | null) => {
    if (element) setParent(scrollParentOf(element));
  });
  const scroller =
    height !== undefined
      ? { style: { height } }
      : parent === null
        ? { useWindowScroll: true }
        : { customScrollParent: parent };
  // The list is mounted again when its scrolling parent is known, because it reads that only once.
  return { ref, key: parent === null ? 'first' : 'placed', scroller };
}
