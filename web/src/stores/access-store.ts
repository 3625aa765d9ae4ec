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
  /** People and teams that it can be shared with, as far as the search lets through. */
  candidates: Grantee[];
  /** There are more of them than one list holds: they can be searched. */
  many: boolean;
  saving: boolean;
}

const initial = (): AccessState => ({
  status: 'initial',
  grants: [],
  candidates: [],
  many: false,
  saving: false,
});

const state = proxy<AccessState>(initial());

/** Counts what was asked: an answer for a dialog that has closed, or to older words, is dropped. */
const asked = { count: 0 };

/** Loads what the dialog shows. */
async function loadAccess(shared: Shared): Promise<void> {
  const mine = ++asked.count;
  Object.assign(state, initial(), { status: 'fetching' });
  try {
    const [grants, candidates] = await Promise.all([listGrants(shared), listShareableEntities()]);
    if (mine !== asked.count) return;
    state.grants = grants.results;
    state.candidates = candidates.results;
    state.many = candidates.pagination.next !== null;
    state.status = 'fetched';
  } catch {
    if (mine === asked.count) state.status = 'failed';
  }
}

/** Looks for people and teams by name. */
async function searchCandidates(words: string): Promise<void> {
  const mine = ++asked.count;
  try {
    const { results } = await listShareableEntities(words);
    if (mine === asked.count) state.candidates = results;
  } catch {
    // Those found before stay; the next letter asks again.
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
  candidates: DeepReadonly<Grantee[]>;
  search: { words: string; onSearch: (words: string) => void } | null;
  saving: boolean;
  onRetry: () => void;
  onSave: (changes: readonly GrantChange[]) => Promise<boolean>;
}

/** Wires a Manage access dialog to this store, for as long as it is open. */
export function useAccess(kind: Shared['kind'], id: string | number): AccessWiring {
  const { status, grants, candidates, many, saving } = useSnapshot(state);
  const [words, setWords] = useState('');
  const search = useDebounced(words.trim());
  const shared = { kind, id } as Shared;

  useEffect(() => {
    void loadAccess({ kind, id } as Shared);
  }, [kind, id]);
  useEffect(() => {
    if (many) void searchCandidates(search);
  }, [many, search]);

  return {
    status,
    grants,
    candidates,
    search: many ? { words, onSearch: setWords } : null,
    saving,
    onRetry: () => void loadAccess(shared),
    onSave: (changes) => saveAccess(shared, changes),
  };
}
