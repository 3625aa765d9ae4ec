/** Events that show that a person uses the page, and that it is not only opening. */
const signs = ['pointermove', 'pointerdown', 'keydown', 'touchstart', 'wheel'] as const;
const atTheLatest = 10_000;

/**
 * Runs a function when the page is in use: at the first movement or key, and after ten seconds at the latest. For
 * what will be needed at some time and must not delay the first load. Returns a function that cancels it.
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
