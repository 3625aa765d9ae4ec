import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { searchMax } from './search';

/** What a list is narrowed by, in the address: it can be shared, and a reload and going back keep it. */
export interface ListAddress {
  /** What the address holds. */
  held: URLSearchParams;
  /** Changes parameters, `null` takes one out. Going back undoes the change. */
  change: (changes: Readonly<Record<string, string | null>>) => void;
  /** What the search field holds. */
  words: string;
  setWords: (words: string) => void;
}

/** The parameter of what is searched for. */
const name = 'search';
/** So long what is typed rests before the address is changed by it, in milliseconds. */
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
 * The address of a list. It follows the words of the search field once they rest, in place: each letter
 * would be a step back of its own. Where the address changes by itself the field follows it. One list
 * has one of these: two that write at the same moment would undo each other.
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
    // What this field wrote itself is older than what it holds.
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
    // A change that waits belongs to the page that it was typed on.
    return () => clearTimeout(timer.current);
  }, [words, searched, setHeld]);

  return {
    held,
    change: (changes) => {
      // The words go along: what waits knows the address only as it was before this change.
      clearTimeout(timer.current);
      setWritten(words.trim());
      setHeld((now) => changed(now, { [name]: words.trim(), ...changes }));
    },
    words,
    setWords,
  };
}
