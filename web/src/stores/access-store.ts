import { proxy } from 'valtio';
import { listGrants, saveGrants, type Shared } from '@/api/grants';
import { listShareableEntities } from '@/api/user';
import type { AccessSession, AccessState, GrantChange } from '@/lib/access';
import { notify } from '@/lib/notify';
import { withServerMessage } from '@/lib/server-message';
import type { Grant } from '@/lib/wire';
import { access as t } from '@/messages/access';

/**
 * Starts a session for one Manage access dialog: who has access, who could get it, and how to change that.
 * `onKnown` is called with the list of access whenever the server has sent it, for views outside of the dialog.
 */
export function openAccess(shared: Shared, onKnown?: (grants: Grant[]) => void): AccessSession {
  return new Access(shared, onKnown);
}

class Access implements AccessSession {
  readonly state = proxy<AccessState>({
    status: 'initial',
    grants: [],
    candidates: { status: 'fetching', found: [], more: false },
    saving: false,
  });
  readonly #shared: Shared;
  /** The newest search: an answer to an older search is dropped. */
  #search = 0;

  readonly #onKnown: ((grants: Grant[]) => void) | undefined;

  constructor(shared: Shared, onKnown: ((grants: Grant[]) => void) | undefined) {
    this.#shared = shared;
    this.#onKnown = onKnown;
  }

  async load(): Promise<void> {
    this.state.status = 'fetching';
    try {
      const grants = await listGrants(this.#shared);
      this.state.grants = grants;
      this.state.status = 'fetched';
      this.#onKnown?.(grants);
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
      const { results } = await saveGrants(this.#shared, changes);
      this.#onKnown?.(results);
      notify.success(t(`saved.${kind}`));
      return true;
    } catch (error) {
      // For a blueprint there is no message: the dialog that stays open shows that it was not saved.
      if (kind !== 'blueprint') notify.error(withServerMessage(error, t(`failed.${kind}`)));
      return false;
    } finally {
      this.state.saving = false;
    }
  }
}
