/** How long a pointer rests on something before its tooltip opens, in milliseconds. */
const restMs = 200;
/** How long after a tooltip the next one opens at once: the person is reading them. */
const readingMs = 300;

let closeShown: (() => void) | null = null;
let closedAt = Number.NEGATIVE_INFINITY;

/** How long to wait now, in milliseconds, before a tooltip opens for a pointer. */
export function waitNow(): number {
  return closeShown !== null || performance.now() - closedAt < readingMs ? 0 : restMs;
}

/** A tooltip is shown, and the one before it closes: there is one on a page. Returns what says that it is gone. */
export function nowShown(close: () => void): () => void {
  closeShown?.();
  closeShown = close;
  return () => {
    closedAt = performance.now();
    if (closeShown === close) closeShown = null;
  };
}
