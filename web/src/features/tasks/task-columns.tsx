import { Avatar } from '@radix-ui/themes';
import type { EntityColumn } from '@/components/entity-list/entity';
import { ProjectTags } from '@/components/project/project-tag';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { initials } from '@/lib/format';
import type { ScheduledTask } from '@/lib/wire';
import { formatInZone } from '@/lib/zoned-time';
import { tasks as t } from '@/messages/tasks';
import { TaskSwitch } from './task-switch';
import styles from './tasks.module.css';

type ShownTask = DeepReadonly<ScheduledTask>;

/** The columns of the list of tasks. */
export const taskColumns: readonly EntityColumn<ShownTask>[] = [
  { id: 'name', label: t('column.name'), cell: ({ name }) => name, width: '26%' },
  { id: 'owner', label: t('column.owner'), cell: ({ owner }) => <Owner owner={owner} />, width: '18%' },
  {
    id: 'project',
    label: t('column.project'),
    cell: ({ projectLabels }) => <ProjectTags projects={projectLabels} />,
  },
  { id: 'next', label: t('column.next'), cell: (task) => <NextRun task={task} />, width: '270px' },
  { id: 'active', label: t('column.active'), cell: (task) => <TaskSwitch task={task} />, width: '90px' },
];

function Owner({ owner }: { owner: ShownTask['owner'] }) {
  const { fullName, picture } = owner;
  return (
    <span className={styles.owner}>
      <Avatar
        size="1"
        radius="full"
        fallback={initials(fullName)}
        alt=""
        {...(picture !== undefined && picture !== '' && { src: picture })}
      />
      <span className={styles.ownerName}>{fullName}</span>
    </span>
  );
}

/** In the time zone of the task, in which it was scheduled. */
function NextRun({ task }: { task: ShownTask }) {
  const { nextRunAt, schedule } = task;
  if (nextRunAt === null) return t('next.none');
  return <time dateTime={nextRunAt}>{formatInZone(nextRunAt, schedule.timeZone)}</time>;
}
