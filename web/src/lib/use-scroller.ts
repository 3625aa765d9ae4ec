import { useState, type RefCallback } from 'react';

function scrollParentOf(element: HTMLElement): HTMLElement | null {
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (/auto|scroll/u.test(getComputedStyle(box).overflowY)) return box;
  }
  return null;
}

/**
 * What a virtual list must know of the box in which it scrolls, to draw what comes into view. With a `height` it
 * scrolls by itself; else with what is around it, for which the `ref` stands at an element that holds the list.
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
  // The list is made again when it is known what scrolls it: it asks that only once.
  return { ref, key: parent === null ? 'first' : 'placed', scroller };
}
