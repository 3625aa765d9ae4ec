import { proxy } from 'valtio';
import { listGrants, saveGrants, type GrantChange } from '@/api/conversations';
import { listShareableEntities } from '@/api/user';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import { notify } from '@/lib/notify';
import type { Grant, Grantee } from '@/lib/wire';

/** Who may see the conversation whose Manage access dialog is open. */
interface AccessState {
  conversation: string | null;
  status: LoadStatus;
  grants: Grant[];
  /** People and teams that it can be shared with. */
  candidates: Grantee[];
  saving: boolean;
}

const initial = (): AccessState => ({
  conversation: null,
  status: 'initial',
  grants: [],
  candidates: [],
  saving: false,
});

const state = proxy<AccessState>(initial());

export const accessState: DeepReadonly<AccessState> = state;

/** Loads what the dialog shows. */
export async function loadAccess(conversation: string): Promise<void> {
  Object.assign(state, initial(), { conversation, status: 'fetching' });
  try {
    const [grants, candidates] = await Promise.all([listGrants(conversation), listShareableEntities()]);
    if (state.conversation !== conversation) return;
    state.grants = grants.results;
    state.candidates = candidates.results;
    state.status = 'fetched';
  } catch {
    if (state.conversation === conversation) state.status = 'failed';
  }
}

/** Saves the changes; on failure the dialog stays as it is. */
export async function saveAccess(conversation: string, changes: readonly GrantChange[]): Promise<boolean> {
  state.saving = true;
  try {
    await saveGrants(conversation, changes);
    notify.success('Conversation permissions updated successfully');
    return true;
  } catch {
    notify.error('Failed to update conversation permissions');
    return false;
  } finally {
    state.saving = false;
  }
}
