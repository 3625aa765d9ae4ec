import type { PageName } from './paths';
import type { User } from './wire';

/** What a page asks of the person: to be a superuser, or to have an area switched on. */
export type Need = 'superuser' | keyof User['flags'];

/** The pages that not everybody has. Router, sidebar and command palette all ask here. */
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

/** Whether a page is there for a person; for whom it is not, it is not found. */
export function mayOpen(person: Person | null, page: PageName): boolean {
  const need = needs[page];
  if (need === undefined) return true;
  if (person === null) return false;
  return need === 'superuser' ? person.isSuperuser : person.flags[need];
}
