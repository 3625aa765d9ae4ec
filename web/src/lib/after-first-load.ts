/** Signs that somebody is at the page and not only that it opens. */
const signs = ['pointermove', 'pointerdown', 'keydown', 'touchstart', 'wheel'] as const;
const atTheLatest = 10_000;

/**
 * Runs something when the page is in use: at the first movement or key, and after ten seconds at the latest. For
 * what will be needed sometime and must not lengthen the first load. Returns what takes it back.
 */
export function afterFirstLoad(run: () => void): () => void {
  const stop = (): void => {
    clearTimeout(timer);
    for (const sign of signs) window.removeEventListener(sign, begin, { capture: true });
  };
  const begin = (): void => {
    stop();
    run();
  };
  const timer = setTimeout(begin, atTheLatest);
  for (const sign of signs) window.addEventListener(sign, begin, { capture: true, passive: true });
  return stop;
}
