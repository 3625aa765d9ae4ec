import { tasks as t } from '@/messages/tasks';
import type { DeepReadonly } from './deep-readonly';
import type { Blueprint } from './wire';

/** Why a blueprint cannot be scheduled, in words; `null` if it can. The server decides, and checks it again. */
export function unschedulable(blueprint: DeepReadonly<Blueprint>): string | null {
  const { abilities, inputs, isArchived, missingDataSources, steps, initialMessage } = blueprint;
  if (abilities.schedule) return null;
  if (isArchived) return t('blueprint.archived');
  if (inputs.length > 0) {
    return t('blueprint.inputs', { count: inputs.length, names: inputs.map(({ name }) => name).join(', ') });
  }
  if (missingDataSources > 0) return t('blueprint.sources');
  if (steps.length === 0 && initialMessage.trim() === '') return t('blueprint.idle');
  return t('blueprint.sources');
}
