import type { PageName } from './paths';
import type { User } from './wire';

/** What a page requires of the person: to be a superuser, or to have an area enabled. */
export type Need = 'superuser' | keyof User['flags'];

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
};

interface Person {
  readonly isSuperuser: boolean;
  readonly flags: Readonly<User['flags']>;
}

/** Whether a person may open a page; all others get a “not found” page. */
export function mayOpen(person: Person | null, page: PageName): boolean {
  const need = needs[page];
  if (need === undefined) return true;
  if (person === null) return false;
  return need === 'superuser' ? person.isSuperuser : person.flags[need];
}
