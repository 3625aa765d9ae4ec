import { call } from './client';
import type { GrantChange } from '@/lib/access';
import type { Grant, GranteeType, Page, Permission } from '@/lib/wire';

/** What can be shared with people and teams, by its path and id. */
export type Shared =
  | { readonly kind: 'conversation'; readonly id: string }
  | { readonly kind: 'datasource'; readonly id: number };

/** Who may see it, the owner first. */
export function listGrants(shared: Shared): Promise<Page<Grant>> {
  if (shared.kind === 'datasource') {
    return call('GET', `memory/datasources/${shared.id}/actors`, { quiet: true });
  }
  return call('GET', 'discourse/conversationpermissions', {
    query: { conversation_id: shared.id, page_size: 100 },
    quiet: true,
  });
}

export function saveGrants(shared: Shared, changes: readonly GrantChange[]): Promise<unknown> {
  const of = (type: GranteeType): { id: number; permission: Permission }[] =>
    changes
      .filter((change) => change.actor.type === type)
      .map((change) => ({ id: change.actor.id, permission: change.permission }));
  const path = shared.kind === 'datasource' ? 'memory/datasources' : 'discourse/conversations';
  return call('PUT', `${path}/${shared.id}/actors`, {
    body: { users: of('user'), teams: of('team'), organizations: of('organization') },
    quiet: true,
  });
}
