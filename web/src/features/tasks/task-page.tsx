import { Badge, Button, Callout, Flex, Skeleton, Text } from '@radix-ui/themes';
import { Pencil, RefreshCw, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { Link, Navigate, useMatch, useNavigate, useParams } from 'react-router';
import { EmptyPage } from '@/components/page/empty-page';
import { Page } from '@/components/page/page';
import { ScheduleNote } from '@/components/task/schedule-note';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { paths, patterns } from '@/lib/paths';
import { scheduleSentence } from '@/lib/schedule-sentence';
import { scheduleOf } from '@/lib/task';
import { useEntity } from '@/lib/use-collection';
import type { ScheduledTask } from '@/lib/wire';
import { common } from '@/messages/common';
import { tasks as t } from '@/messages/tasks';
import { tasks } from '@/stores/tasks-store';
import { NextRuns } from './coming-runs';
import { RunHistory } from './run-history';
import { TaskForm } from './task-form';
import { TaskMenu } from './task-menu';
import { TaskSwitch } from './task-switch';
import styles from './tasks.module.css';

/** `/tasks/{id}`, to read a task, and `/tasks/{id}/edit`, to edit it. */
function TaskPage() {
  const { taskId = '' } = useParams();
  const editing = useMatch(patterns.taskEdit) !== null;
  const navigate = useNavigate();
  const { status, entity: task } = useEntity(tasks, taskId);
  const gone = status === 'gone';

  useEffect(() => {
    if (!gone) return;
    notify.error(t('toast.notFound', { id: taskId }));
    void navigate(paths.tasks, { replace: true });
  }, [gone, taskId, navigate]);

  if (status === 'failed' && task === null) {
    return (
      <EmptyPage
        icon={<RefreshCw size={22} />}
        title={t('page.failed')}
        action={
          <Button variant="soft" onClick={() => void tasks.fetch(taskId)}>
            {common('retry')}
          </Button>
        }
      />
    );
  }
  if (task === null) {
    return (
      <Page title={t('title')}>
        <div role="status" aria-label={t('page.loading')}>
          <Skeleton height="64px" mb="5" />
          <Skeleton height="320px" />
        </div>
      </Page>
    );
  }
  // People who may not edit the task see the task itself.
  if (editing && !task.abilities.edit) return <Navigate to={paths.task(taskId)} replace />;
  return editing ? <EditTask key={task.id} task={task} /> : <ShownTask key={task.id} task={task} />;
}

interface TaskProps {
  task: DeepReadonly<ScheduledTask>;
}

function EditTask({ task }: TaskProps) {
  return (
    <Page title={task.name} subtitle={t('page.owner', { name: task.owner.fullName })}>
      <OffNotice task={task} />
      <TaskForm task={task} readOnly={false} />
    </Page>
  );
}

function ShownTask({ task }: TaskProps) {
  const navigate = useNavigate();
  return (
    <Page
      title={task.name}
      subtitle={t('page.owner', { name: task.owner.fullName })}
      actions={
        <Flex align="center" gap="4">
          {task.status === 'archived' && <Badge color="gray">{t('page.archived')}</Badge>}
          <Text as="label" size="2" className={styles.active ?? ''}>
            {t('column.active')} <TaskSwitch task={task} />
          </Text>
          <TaskMenu task={task} onGone={() => void navigate(paths.tasks)} />
          {task.abilities.edit && (
            <Button asChild variant="soft">
              <Link to={paths.taskEdit(task.id)}>
                <Pencil size={15} aria-hidden="true" /> {common('edit')}
              </Link>
            </Button>
          )}
        </Flex>
      }
    >
      <OffNotice task={task} />
      <TaskSchedule task={task} />
      <div className={styles.section}>
        {/* It is mounted again for each version, so that a change from elsewhere is shown. */}
        <TaskForm key={task.version} task={task} readOnly />
      </div>
      <RunHistory task={task.id} timeZone={task.schedule.timeZone} />
    </Page>
  );
}

/** Its schedule; a task that is switched off has no next time. */
function TaskSchedule({ task }: TaskProps) {
  const schedule = scheduleOf(task);
  return task.nextRunAt === null ? (
    <ScheduleNote sentence={scheduleSentence(schedule)} coming={[]} />
  ) : (
    <NextRuns schedule={schedule} />
  );
}

/** Why it cannot run even if it is switched on. */
function OffNotice({ task }: TaskProps) {
  if (task.disabledReason === '') return null;
  return (
    <Callout.Root color="amber" mb="4" role="note">
      <Callout.Icon>
        <TriangleAlert size={16} />
      </Callout.Icon>
      <Callout.Text>{t('off.reason', { reason: task.disabledReason })}</Callout.Text>
    </Callout.Root>
  );
}

export { TaskPage as Component };
