import { proxy } from 'valtio';
import { listGrants, saveGrants, type Shared } from '@/api/grants';
import { listShareableEntities } from '@/api/user';
import type { AccessSession, AccessState, GrantChange } from '@/lib/access';
import { notify } from '@/lib/notify';
import { withServerMessage } from '@/lib/server-message';
import { access as t } from '@/messages/access';

/** Begins what one Manage access dialog needs: who has access, who could get it, and the way to change that. */
export function openAccess(shared: Shared): AccessSession {
  return new Access(shared);
}

class Access implements AccessSession {
  readonly state = proxy<AccessState>({
    status: 'initial',
    grants: [],
    candidates: { status: 'fetching', found: [], more: false },
    saving: false,
  });
  readonly #shared: Shared;
  /** The newest search: an answer to older words is dropped. */
  #search = 0;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  async load(): Promise<void> {
    this.state.status = 'fetching';
    try {
      this.state.grants = await listGrants(this.#shared);
      this.state.status = 'fetched';
    } catch {
      this.state.status = 'failed';
    }
  }

  async find(words: string): Promise<void> {
    const mine = ++this.#search;
    const { candidates } = this.state;
    candidates.status = 'fetching';
    try {
      const { results, pagination } = await listShareableEntities(words);
      if (mine !== this.#search) return;
      Object.assign(candidates, { status: 'fetched', found: results, more: pagination.next !== null });
    } catch {
      if (mine === this.#search) candidates.status = 'failed';
    }
  }

  async save(changes: readonly GrantChange[]): Promise<boolean> {
    const { kind } = this.#shared;
    this.state.saving = true;
    try {
      await saveGrants(this.#shared, changes);
      notify.success(t(`saved.${kind}`));
      return true;
    } catch (error) {
      // Of a blueprint nothing is said: the dialog that stays open says that it was not saved.
      if (kind !== 'blueprint') notify.error(withServerMessage(error, t(`failed.${kind}`)));
      return false;
    } finally {
      this.state.saving = false;
    }
  }
}
