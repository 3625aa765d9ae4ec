import { useEffect } from 'react';

interface EarlyKeysProps {
  /** What to make of the words so far. */
  onWords: (change: (words: string) => string) => void;
}

/**
 * Keeps what is typed while the palette is still on its way: who presses its keys goes on typing at once, and the
 * letters would otherwise stand in whatever has the focus.
 */
export function EarlyKeys({ onWords }: EarlyKeysProps) {
  useEffect(() => {
    const take = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Backspace') onWords((words) => words.slice(0, -1));
      else if (event.key.length === 1) onWords((words) => words + event.key);
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', take, { capture: true });
    return () => window.removeEventListener('keydown', take, { capture: true });
  }, [onWords]);
  return null;
}
