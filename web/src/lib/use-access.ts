import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import type { AccessSession, AccessState, GrantChange } from './access';
import type { DeepReadonly } from './deep-readonly';
import { useDebounced } from './use-debounced';

/** What a Manage access dialog asks of its surroundings. */
interface AccessWiring extends DeepReadonly<AccessState> {
  words: string;
  onWords: (words: string) => void;
  onRetry: () => void;
  onSave: (changes: readonly GrantChange[]) => Promise<boolean>;
}

/**
 * Wires a Manage access dialog to a session of its own, which `open` begins: what is answered after it has closed
 * reaches nobody. `editable` has it look for people to add.
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

  // What is being typed has not been asked for yet.
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
