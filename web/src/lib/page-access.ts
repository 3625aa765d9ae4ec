import type { PageName } from './paths';
import type { User } from './wire';

/** What a page requires of the person: to be a superuser, to operate the server, or to have an area enabled. */
export type Need = 'superuser' | 'cluster' | keyof User['flags'];

/** The pages that are not for all users. Router, sidebar and command palette all use this table. */
const needs: Partial<Record<PageName, Need>> = {
  agents: 'superuser',
  newAgent: 'superuser',
  agent: 'superuser',
  agentEdit: 'superuser',
  components: 'superuser',
  tasks: 'scheduledTaskView',
  task: 'scheduledTaskView',
  taskEdit: 'scheduledTaskView',
  dataConfig: 'uploadCredentials',
  cluster: 'cluster',
};

interface Person {
  readonly isSuperuser: boolean;
  readonly flags: Readonly<User['flags']>;
  readonly abilities: Readonly<User['abilities']>;
}

/** Whether a person may open a page; all others get a “not found” page. */
export function mayOpen(person: Person | null, page: PageName): boolean {
  const need = needs[page];
  if (need === undefined) return true;
  if (person === null) return false;
  if (need === 'superuser') return person.isSuperuser;
  return need === 'cluster' ? person.abilities.cluster : person.flags[need];
}
