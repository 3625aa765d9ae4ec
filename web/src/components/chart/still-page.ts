// A wheel or a finger sends its next scroll event well within this time; text that streams in seldom does.
const stillMs = 100;
// A person who scrolls slowly and for long is reading what passes, so it must be drawn.
const longestWaitMs = 600;

let scrolledAt = Number.NEGATIVE_INFINITY;
let isWatching = false;

/**
 * Calls back once nothing on the page was scrolled for a moment, with whether that had to be waited for. Work of many
 * milliseconds done meanwhile would make the scrolling stutter, and be for nothing where its place is out of sight again.
 */
export function whenStill(ready: (waited: boolean) => void): () => void {
  watch();
  const asked = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    const left = Math.min(scrolledAt + stillMs, asked + longestWaitMs) - performance.now();
    if (left > 0) timer = setTimeout(look, left);
    else ready(timer !== undefined);
  };
  look();
  return () => {
    clearTimeout(timer);
  };
}

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  // Scroll events don't bubble, but all come by on their way down.
  document.addEventListener(
    'scroll',
    () => {
      scrolledAt = performance.now();
    },
    { passive: true, capture: true },
  );
}
