import { call } from './client';
import { path, type ApiPath } from './path';
import type { GrantChange } from '@/lib/access';
import type { Grant, GranteeType, Page, Permission } from '@/lib/wire';

/** What can be shared with people and teams, by its path and id. */
export type Shared =
  | { readonly kind: 'conversation'; readonly id: string }
  | { readonly kind: 'datasource' | 'blueprint' | 'analyst'; readonly id: number };

const actors: Readonly<Record<Shared['kind'], (id: string | number) => ApiPath>> = {
  conversation: (id) => path`discourse/conversations/${id}/actors`,
  datasource: (id) => path`memory/datasources/${id}/actors`,
  blueprint: (id) => path`discourse/blueprints/${id}/actors`,
  analyst: (id) => path`analyst/analysts/${id}/actors`,
};

const actorsOf = ({ kind, id }: Shared): ApiPath => actors[kind](id);

/** All who may see it, the owner first. */
export async function listGrants(shared: Shared): Promise<Grant[]> {
  if (shared.kind !== 'conversation') {
    return (await call<Page<Grant>>('GET', actorsOf(shared), { quiet: true })).results;
  }
  const all: Grant[] = [];
  // Reads all pages: a person who is missing here would be offered in the search, and adding them would replace
  // their right.
  for (let page = 1; ; page += 1) {
    const { results, pagination } = await call<Page<Grant>>('GET', path`discourse/conversationpermissions`, {
      query: { conversation_id: shared.id, page_size: 100, page },
      quiet: true,
    });
    all.push(...results);
    if (pagination.next === null) return all;
  }
}

/** Returns all who may see it afterwards. */
export function saveGrants(shared: Shared, changes: readonly GrantChange[]): Promise<Page<Grant>> {
  const of = (type: GranteeType): { id: number; permission: Permission }[] =>
    changes
      .filter((change) => change.actor.type === type)
      .map((change) => ({ id: change.actor.id, permission: change.permission }));
  return call('PUT', actorsOf(shared), {
    body: { users: of('user'), teams: of('team'), organizations: of('organization') },
    quiet: true,
  });
}
