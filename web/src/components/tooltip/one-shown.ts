/** How long a pointer must rest on an element before its tooltip opens, in milliseconds. */
const restMs = 200;
/** How long after a tooltip the next one opens at once, in milliseconds: the person is reading tooltips. */
const readingMs = 300;

let closeShown: (() => void) | null = null;
let closedAt = Number.NEGATIVE_INFINITY;

/** How long to wait now, in milliseconds, before a tooltip opens for a pointer. */
export function waitNow(): number {
  return closeShown !== null || performance.now() - closedAt < readingMs ? 0 : restMs;
}

/**
 * Registers a tooltip that is now shown, and closes the one before it: there is only one on a page. Returns a
 * function that reports that it has closed.
 */
export function nowShown(close: () => void): () => void {
  closeShown?.();
  closeShown = close;
  return () => {
    closedAt = performance.now();
    if (closeShown === close) closeShown = null;
  };
}
