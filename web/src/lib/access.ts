import type { DeepReadonly } from './deep-readonly';
import type { LoadStatus } from './load-status';
import type { Grant, Grantee, Permission } from './wire';

/** One change of access; the dialog collects them. */
export interface GrantChange {
  readonly actor: DeepReadonly<Grantee>;
  readonly permission: Exclude<Permission, 'owner'>;
}

/** A key that identifies a person or a team among both kinds. */
export const granteeKey = (actor: DeepReadonly<Grantee>): string => `${actor.type}-${actor.id}`;

/** The list of access after these changes, the owner first, added people and teams last. */
export function changedGrants(
  grants: readonly DeepReadonly<Grant>[],
  changes: readonly GrantChange[],
): DeepReadonly<Grant>[] {
  const byKey = new Map(changes.map((change) => [granteeKey(change.actor), change.permission]));
  const known = new Set(grants.map((grant) => granteeKey(grant.actor)));
  const kept = grants.flatMap((grant) => {
    const permission = byKey.get(granteeKey(grant.actor)) ?? grant.permission;
    return permission === 'remove' ? [] : [{ actor: grant.actor, permission }];
  });
  const added = changes.flatMap(({ actor, permission }) =>
    known.has(granteeKey(actor)) || permission === 'remove' ? [] : [{ actor, permission }],
  );
  return [...kept, ...added];
}

/** Adds a change. A change back to the current right is dropped. */
export function withChange(
  grants: readonly DeepReadonly<Grant>[],
  changes: readonly GrantChange[],
  next: GrantChange,
): GrantChange[] {
  const key = granteeKey(next.actor);
  const others = changes.filter(({ actor }) => granteeKey(actor) !== key);
  const now = grants.find(({ actor }) => granteeKey(actor) === key)?.permission ?? 'remove';
  return now === next.permission ? others : [...others, next];
}

/** The state of a Manage access dialog: the people with access, and those who could be added. */
export interface AccessState {
  status: LoadStatus;
  grants: Grant[];
  /** People and teams that it can be shared with, and that match the search. */
  candidates: { status: 'fetching' | 'fetched' | 'failed'; found: Grantee[]; more: boolean };
  saving: boolean;
}

/** The state and the actions of one Manage access dialog, as long as it is open. */
export interface AccessSession {
  readonly state: AccessState;
  load: () => Promise<void>;
  /** Searches people and teams by name. The previous results stay until the answer arrives. */
  find: (words: string) => Promise<void>;
  /** Returns whether it was saved; on failure everything stays as it is. */
  save: (changes: readonly GrantChange[]) => Promise<boolean>;
}
