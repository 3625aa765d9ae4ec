import { useEffect, useState } from 'react';
import { proxy, useSnapshot } from 'valtio';
import { ApiError } from '@/api/errors';
import { listGrants, saveGrants, type Shared } from '@/api/grants';
import { listShareableEntities } from '@/api/user';
import type { GrantChange } from '@/lib/access';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import { notify } from '@/lib/notify';
import { useDebounced } from '@/lib/use-debounced';
import type { Grant, Grantee } from '@/lib/wire';

/** Who may see what the open Manage access dialog is about. */
interface AccessState {
  status: LoadStatus;
  grants: Grant[];
  /** People and teams that it can be shared with, as far as the words let through. */
  candidates: { status: 'fetching' | 'fetched' | 'failed'; found: Grantee[]; more: boolean };
  saving: boolean;
}

const initial = (): AccessState => ({
  status: 'initial',
  grants: [],
  candidates: { status: 'fetching', found: [], more: false },
  saving: false,
});

const state = proxy<AccessState>(initial());

/** Counts what was asked: an answer for a dialog that has closed, or to older words, is dropped. */
const asked = { grants: 0, candidates: 0 };

/** Loads what the dialog shows. */
async function loadAccess(shared: Shared): Promise<void> {
  const mine = ++asked.grants;
  Object.assign(state, { status: 'fetching', grants: [], saving: false });
  try {
    const grants = await listGrants(shared);
    if (mine !== asked.grants) return;
    state.grants = grants;
    state.status = 'fetched';
  } catch {
    if (mine === asked.grants) state.status = 'failed';
  }
}

/** Looks for people and teams by name. Those found before stay until the answer is there. */
async function findCandidates(words: string): Promise<void> {
  const mine = ++asked.candidates;
  const { candidates } = state;
  candidates.status = 'fetching';
  try {
    const { results, pagination } = await listShareableEntities(words);
    if (mine !== asked.candidates) return;
    Object.assign(candidates, { status: 'fetched', found: results, more: pagination.next !== null });
  } catch {
    if (mine === asked.candidates) candidates.status = 'failed';
  }
}

const saved = {
  conversation: 'Conversation permissions updated successfully',
  datasource: 'Connector permissions updated successfully',
};
const refused = {
  conversation: 'Failed to update conversation permissions',
  datasource: 'Failed to update connector permissions',
};

/** Saves the changes; on failure the dialog stays as it is. */
async function saveAccess(shared: Shared, changes: readonly GrantChange[]): Promise<boolean> {
  state.saving = true;
  try {
    await saveGrants(shared, changes);
    notify.success(saved[shared.kind]);
    return true;
  } catch (error) {
    const said = error instanceof ApiError && error.message !== '' ? `: ${error.message}` : '';
    notify.error(`${refused[shared.kind]}${said}`);
    return false;
  } finally {
    state.saving = false;
  }
}

/** What a Manage access dialog asks of its surroundings. */
interface AccessWiring {
  status: LoadStatus;
  grants: DeepReadonly<Grant[]>;
  candidates: DeepReadonly<AccessState['candidates']>;
  words: string;
  onWords: (words: string) => void;
  saving: boolean;
  onRetry: () => void;
  onSave: (changes: readonly GrantChange[]) => Promise<boolean>;
}

/** Wires a Manage access dialog to this store, for as long as it is open. `editable` has it look for people to add. */
export function useAccess(kind: Shared['kind'], id: string | number, editable: boolean): AccessWiring {
  const { status, grants, candidates, saving } = useSnapshot(state);
  const [words, setWords] = useState('');
  const search = useDebounced(words.trim());
  const shared = { kind, id } as Shared;

  useEffect(() => {
    void loadAccess({ kind, id } as Shared);
  }, [kind, id]);
  useEffect(() => {
    if (editable) void findCandidates(search);
  }, [editable, search]);
  useEffect(() => () => void Object.assign(state, initial()), []);

  // What is being typed has not been asked for yet.
  const rested = search === words.trim();
  return {
    status,
    grants,
    candidates: rested ? candidates : { ...candidates, status: 'fetching' },
    words,
    onWords: setWords,
    saving,
    onRetry: () => void loadAccess(shared),
    onSave: (changes) => saveAccess(shared, changes),
  };
}
