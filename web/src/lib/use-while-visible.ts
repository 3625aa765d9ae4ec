import { useEffect } from 'react';

/**
 * Does some work at once and again and again, with a pause in ms after each time, while the page is visible. A tab in
 * the background asks for nothing, and does the work at once when it is shown again.
 */
export function useWhileVisible(work: () => Promise<void>, pause: number): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let working = false;
    let ended = false;
    const next = async (): Promise<void> => {
      clearTimeout(timer);
      if (working || ended || document.visibilityState !== 'visible') return;
      working = true;
      await work();
      working = false;
      timer = setTimeout(() => void next(), pause);
    };
    const look = () => void next();
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      ended = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [work, pause]);
}
