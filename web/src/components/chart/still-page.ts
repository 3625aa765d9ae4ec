// A wheel or a finger sends its next scroll event well within this time; streamed text seldom does.
const stillMs = 100;
// A person who scrolls slowly and for long is reading what passes, so it must be drawn.
const longestWaitMs = 600;

let scrolledAt = Number.NEGATIVE_INFINITY;
let isWatching = false;

/**
 * Calls back when nothing on the page has been scrolled for a moment, and passes whether it had to wait. Work of
 * many milliseconds during the scrolling would make it stutter, and would be wasted if the element is out of sight
 * again.
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
  // Scroll events do not bubble, but all of them can be captured here.
  document.addEventListener(
    'scroll',
    () => {
      scrolledAt = performance.now();
    },
    { passive: true, capture: true },
  );
}
