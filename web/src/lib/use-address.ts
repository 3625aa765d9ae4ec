import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { searchMax } from './search';

/** The filters of a list, in the address: it can be shared, and a reload and going back keep them. */
export interface ListAddress {
  /** The parameters of the address. */
  held: URLSearchParams;
  /** Changes parameters, `null` removes one. Going back undoes the change. */
  change: (changes: Readonly<Record<string, string | null>>) => void;
  /** The text of the search field. */
  words: string;
  setWords: (words: string) => void;
}

/** The parameter for the search. */
const name = 'search';
/** How long typing must pause before the address is changed, in milliseconds. */
const rest = 300;

function changed(held: URLSearchParams, changes: Readonly<Record<string, string | null>>): URLSearchParams {
  const next = new URLSearchParams(held);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(key);
    else next.set(key, value);
  }
  return next;
}

/**
 * The address of a list. It is updated with the text of the search field when the typing pauses; the history entry
 * is replaced, otherwise each letter would be a separate step back. If the address changes by itself, the field
 * follows it. Use it once per list: two that write at the same moment would undo each other.
 */
export function useListAddress(): ListAddress {
  const [held, setHeld] = useSearchParams();
  const searched = (held.get(name) ?? '').slice(0, searchMax);
  const [words, setWords] = useState(searched);
  const [written, setWritten] = useState(searched);
  const [seen, setSeen] = useState(searched);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  if (searched !== seen) {
    setSeen(searched);
    // A value that this field wrote itself is older than its current text.
    if (searched !== written) {
      setWords(searched);
      setWritten(searched);
    }
  }

  useEffect(() => {
    const value = words.trim();
    if (value === searched.trim()) return undefined;
    timer.current = setTimeout(() => {
      setWritten(value);
      setHeld((now) => changed(now, { [name]: value }), { replace: true });
    }, rest);
    // A pending change belongs to the page on which it was typed.
    return () => clearTimeout(timer.current);
  }, [words, searched, setHeld]);

  return {
    held,
    change: (changes) => {
      // The search text is included: the pending change knows only the address from before this change.
      clearTimeout(timer.current);
      setWritten(words.trim());
      setHeld((now) => changed(now, { [name]: words.trim(), ...changes }));
    },
    words,
    setWords,
  };
}
