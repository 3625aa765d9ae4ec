import { useState, type RefCallback } from 'react';

function scrollParentOf(element: HTMLElement): HTMLElement | null {
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (/auto|scroll/u.test(getComputedStyle(box).overflowY)) return box;
  }
  return null;
}

/** The box in which an element scrolls: what is drawn as it comes into view must know it. `null` until it is known. */
export function useScrollParent(): [RefCallback<HTMLElement>, HTMLElement | null] {
  const [parent, setParent] = useState<HTMLElement | null>(null);
  const [ref] = useState<RefCallback<HTMLElement>>(() => (element: HTMLElement | null) => {
    if (element) setParent(scrollParentOf(element));
  });
  return [ref, parent];
}
