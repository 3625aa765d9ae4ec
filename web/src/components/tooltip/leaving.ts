import type { Parts } from './placement';

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Calls back when an open tooltip must close: on Escape, on a press outside of it, when its anchor is scrolled
 * away, and when the pointer or the focus, whichever opened it, has left. A pointer may move to the tooltip and
 * rest there (WCAG 2.2, 1.4.13). The listeners are on the page, because a control that is disabled meanwhile sends
 * no events. Returns a function to stop.
 */
export function watchLeaving(
  { anchor, bubble }: Omit<Parts, 'arrow'>,
  by: 'pointer' | 'focus',
  onLeft: () => void,
): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const isInside = ({ target }: Event): boolean =>
    target instanceof Node && (anchor.contains(target) || bubble.contains(target));

  // It runs before the handlers of dialogs and of the page's shortcuts, which then ignore the key.
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      event.preventDefault();
      onLeft();
    },
    { capture: true, signal },
  );
  const leaveIfOutside = (event: Event): void => {
    if (!isInside(event)) onLeft();
  };
  document.addEventListener('pointerdown', leaveIfOutside, { capture: true, signal });
  document.addEventListener(
    'scroll',
    ({ target }) => {
      if (target instanceof Node && target.contains(anchor)) onLeft();
    },
    { capture: true, passive: true, signal },
  );
  if (by === 'focus') {
    document.addEventListener('focusin', leaveIfOutside, { signal });
    return () => listening.abort();
  }
  document.addEventListener(
    'pointermove',
    (event) => {
      if (isInside(event)) return;
      const boxes = [anchor.getBoundingClientRect(), bubble.getBoundingClientRect()] as const;
      if (!isBetween({ x: event.clientX, y: event.clientY }, ...boxes)) onLeft();
    },
    { passive: true, signal },
  );
  document.documentElement.addEventListener('pointerleave', onLeft, { signal });
  return () => listening.abort();
}

/** Whether a point lies in the gap between two boxes, of which one is above or next to the other. */
export function isBetween({ x, y }: { x: number; y: number }, one: Box, other: Box): boolean {
  const inWidth = x >= Math.min(one.left, other.left) && x <= Math.max(one.right, other.right);
  const inHeight = y >= Math.min(one.top, other.top) && y <= Math.max(one.bottom, other.bottom);
  return (
    (inWidth && isInGap(y, one.top, one.bottom, other.top, other.bottom)) ||
    (inHeight && isInGap(x, one.left, one.right, other.left, other.right))
  );
}

function isInGap(value: number, from: number, to: number, otherFrom: number, otherTo: number): boolean {
  const begin = Math.min(to, otherTo);
  const end = Math.max(from, otherFrom);
  return end > begin && value >= begin && value <= end;
}
