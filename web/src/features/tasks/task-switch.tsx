import { Switch } from '@radix-ui/themes';
import { Tooltip } from '@/components/tooltip/tooltip';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { ScheduledTask } from '@/lib/wire';
import { tasks as t } from '@/messages/tasks';
import { switchTask } from '@/stores/tasks-store';

/** Switches a task on and off. For an archived task, and for a task of another person, it only shows the state. */
export function TaskSwitch({ task }: { task: DeepReadonly<ScheduledTask> }) {
  const { id, name, isEnabled, abilities, status } = task;
  const reason = status === 'archived' ? t('active.archived') : abilities.enable ? null : t('active.owner');
  const control = (
    <Switch
      aria-label={t('active.of', { name })}
      checked={isEnabled}
      disabled={reason !== null}
      onCheckedChange={(on) => void switchTask(id, on)}
    />
  );
  if (reason === null) return control;
  // A disabled control gets no pointer events, so the tooltip is attached to an element around it.
  return (
    <Tooltip content={reason}>
      <span>{control}</span>
    </Tooltip>
  );
}
