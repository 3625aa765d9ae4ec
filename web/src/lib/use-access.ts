import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import type { AccessSession, AccessState, GrantChange } from './access';
import type { DeepReadonly } from './deep-readonly';
import { useDebounced } from './use-debounced';

/** What a Manage access dialog needs of its parent. */
interface AccessWiring extends DeepReadonly<AccessState> {
  words: string;
  onWords: (words: string) => void;
  onRetry: () => void;
  onSave: (changes: readonly GrantChange[]) => Promise<boolean>;
}

/**
 * Connects a Manage access dialog with its own session, which `open` starts: answers after it has closed are
 * ignored. With `editable` it searches for people to add.
 */
export function useAccess(open: () => AccessSession, editable: boolean): AccessWiring {
  const [session] = useState(open);
  const shown = useSnapshot<AccessState>(session.state);
  const [words, setWords] = useState('');
  const search = useDebounced(words.trim());

  useEffect(() => {
    void session.load();
  }, [session]);
  useEffect(() => {
    if (editable) void session.find(search);
  }, [session, editable, search]);

  // The text that is being typed has not been searched for yet.
  const rested = search === words.trim();
  return {
    ...shown,
    candidates: rested ? shown.candidates : { ...shown.candidates, status: 'fetching' },
    words,
    onWords: setWords,
    onRetry: () => void session.load(),
    onSave: (changes) => session.save(changes),
  };
}
