import { Button, Heading, Skeleton, Text } from '@radix-ui/themes';
import { PageSwitch } from '@/components/entity-list/list-pages';
import { RunTable } from '@/components/task/run-table';
import { isFirstLoad } from '@/lib/load-status';
import { paths } from '@/lib/paths';
import { taskPageSize } from '@/lib/task';
import { useList } from '@/lib/use-collection';
import { common } from '@/messages/common';
import { tasks as t } from '@/messages/tasks';
import { taskRuns } from '@/stores/task-runs-store';
import styles from './tasks.module.css';

interface RunHistoryProps {
  task: string;
  timeZone: string;
}

/** The result of each due time of a task. It is updated when runs begin and end. */
export function RunHistory({ task, timeZone }: RunHistoryProps) {
  const { items, status, count, first } = useList(taskRuns, task);
  const none = items.length === 0;
  return (
    <section className={styles.section} aria-labelledby="runs-heading">
      <Heading as="h2" size="4" mb="3" id="runs-heading">
        {t('runs.title')}
      </Heading>
      {none && isFirstLoad(status) && (
        <div role="status" aria-label={t('runs.loading')}>
          <Skeleton height="120px" />
        </div>
      )}
      {none && status === 'failed' && (
        <Text as="div" size="2" color="gray" role="alert">
          {t('runs.failed')}{' '}
          <Button size="1" variant="soft" onClick={() => void taskRuns.refresh(task)}>
            {common('retry')}
          </Button>
        </Text>
      )}
      {none && (status === 'fetched' || status === 'updating') && (
        <Text as="p" size="2" color="gray">
          {t('runs.none')}
        </Text>
      )}
      {!none && (
        <RunTable
          timeZone={timeZone}
          runs={items.map((run) => ({
            ...run,
            to: run.conversationId === null ? null : paths.conversation(run.conversationId),
          }))}
        />
      )}
      <PageSwitch
        page={first}
        size={taskPageSize}
        count={count}
        onPage={(page) => void taskRuns.goTo(task, page)}
      />
    </section>
  );
}
