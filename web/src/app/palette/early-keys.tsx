import { useEffect } from 'react';

interface EarlyKeysProps {
  /** Called with the text that has been typed so far. */
  onWords: (change: (words: string) => string) => void;
}

/**
 * Keeps what is typed while the palette is still loading: people who press its shortcut go on typing at once, and
 * the letters would otherwise be entered in the element that has the focus.
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
