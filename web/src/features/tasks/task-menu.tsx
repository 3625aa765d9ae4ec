import { useSnapshot } from 'valtio';
import { EntityMenu } from '@/components/entity-menu/entity-menu';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { ScheduledTask } from '@/lib/wire';
import { tasks as t } from '@/messages/tasks';
import { meState } from '@/stores/me-store';
import { archiveTask, removeTask, unarchiveTask } from '@/stores/tasks-store';

interface TaskMenuProps {
  task: DeepReadonly<ScheduledTask>;
  inList?: boolean;
  /** Called after the task has been deleted. */
  onGone?: () => void;
}

/** The actions for a task. */
export function TaskMenu({ task, inList = false, onGone }: TaskMenuProps) {
  const { user } = useSnapshot(meState);
  const { id, name, owner, abilities, status } = task;
  const archived = status === 'archived';
  // The owner deletes a task that is no longer wanted.
  const mayArchive = abilities.archive && owner.uuid !== user?.uuid;
  const others = abilities.delete ? undefined : t('owner.only');
  return (
    <EntityMenu
      name={name}
      inList={inList}
      actions={{
        edit: { to: paths.taskEdit(id), disabledReason: abilities.edit ? undefined : t('owner.only') },
        archive:
          mayArchive && !archived
            ? {
                title: t('archive.title'),
                text: t('archive.text', { name, owner: owner.fullName }),
                onConfirm: () => archiveTask(id),
              }
            : undefined,
        unarchive: mayArchive && archived ? { onUnarchive: () => void unarchiveTask(id) } : undefined,
        remove: {
          title: t('delete.title'),
          text: t('delete.text', { name }),
          disabledReason: others,
          onConfirm: async () => {
            const done = await removeTask(id);
            if (done) onGone?.();
            return done;
          },
        },
      }}
    />
  );
}
