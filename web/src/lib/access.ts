import type { DeepReadonly } from './deep-readonly';
import type { LoadStatus } from './load-status';
import type { Grant, Grantee, Permission } from './wire';

/** One change of access, as the dialog gathers them. */
export interface GrantChange {
  readonly actor: DeepReadonly<Grantee>;
  readonly permission: Exclude<Permission, 'owner'>;
}

/** What identifies a person or a team among those of both kinds. */
export const granteeKey = (actor: DeepReadonly<Grantee>): string => `${actor.type}-${actor.id}`;

/** Who would have access with these changes, the owner first and who was added last. */
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

/** The changes with one more. One that leads back to what is, is none. */
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

/** The people who may see what a Manage access dialog is about, and those who could be added. */
export interface AccessState {
  status: LoadStatus;
  grants: Grant[];
  /** People and teams that it can be shared with, as far as the words let through. */
  candidates: { status: 'fetching' | 'fetched' | 'failed'; found: Grantee[]; more: boolean };
  saving: boolean;
}

/** What one Manage access dialog holds and does, for as long as it is open. */
export interface AccessSession {
  readonly state: AccessState;
  load: () => Promise<void>;
  /** Looks for people and teams by name. Those found before stay until the answer is there. */
  find: (words: string) => Promise<void>;
  /** Answers whether it was done; on failure everything stays as it is. */
  save: (changes: readonly GrantChange[]) => Promise<boolean>;
}
