import { Badge, Link, Spinner, Text } from '@radix-ui/themes';
import { Ban, CircleCheck, CircleSlash, CircleStop, CircleX, type LucideIcon } from 'lucide-react';
import { Link as RouterLink } from 'react-router';
import sideways from '@/components/surface/sideways.module.css';
import { cx } from '@/lib/cx';
import { formatDuration } from '@/lib/duration';
import type { TaskRun } from '@/lib/wire';
import { formatInZone } from '@/lib/zoned-time';
import { tasks as t } from '@/messages/tasks';
import styles from './task.module.css';

/** A due time and its result. */
export type ShownRun = Readonly<Pick<TaskRun, 'dueAt' | 'status' | 'reason' | 'startedAt' | 'endedAt'>> & {
  /** The address of its conversation; `null` if none was started. */
  readonly to: string | null;
};

interface RunTableProps {
  runs: readonly ShownRun[];
  /** The time zone of the task, in which the times are shown. */
  timeZone: string;
}

type Color = 'green' | 'blue' | 'gray' | 'amber' | 'red';

const looks: Readonly<
  Record<TaskRun['status'], { color: Color; icon: LucideIcon | null; label: () => string }>
> = {
  complete: { color: 'green', icon: CircleCheck, label: () => t('runs.complete') },
  running: { color: 'blue', icon: null, label: () => t('runs.running') },
  skipped: { color: 'gray', icon: CircleSlash, label: () => t('runs.skipped') },
  stopped: { color: 'gray', icon: CircleStop, label: () => t('runs.stopped') },
  interrupted: { color: 'amber', icon: Ban, label: () => t('runs.interrupted') },
  failed: { color: 'red', icon: CircleX, label: () => t('runs.failedRun') },
};

/** The history of a task: its due times, their results, and links to the conversations. */
export function RunTable({ runs, timeZone }: RunTableProps) {
  return (
    <div className={cx(styles.runs, sideways.box)}>
      <table aria-label={t('runs.title')}>
        <thead>
          <tr>
            <th scope="col">{t('runs.due')}</th>
            <th scope="col">{t('runs.outcome')}</th>
            <th scope="col">{t('runs.took')}</th>
            <th scope="col">{t('runs.conversation')}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.dueAt} run={run} due={formatInZone(run.dueAt, timeZone)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunRow({ run, due }: { run: ShownRun; due: string }) {
  const { status, reason, to, startedAt, endedAt } = run;
  const { color, icon: Icon, label } = looks[status];
  const took = to === null || endedAt === null ? '' : formatDuration(startedAt, endedAt);
  return (
    <tr>
      <th scope="row">{due}</th>
      <td className={styles.outcome}>
        <Badge color={color} variant="soft">
          {Icon ? <Icon size={13} aria-hidden="true" /> : <Spinner size="1" />}
          {label()}
        </Badge>
        {reason !== '' && (
          <Text as="div" size="1" color="gray" mt="1">
            {reason}
          </Text>
        )}
      </td>
      <td>{took}</td>
      <td>
        {to !== null && (
          <Link asChild size="2">
            <RouterLink to={to} aria-label={t('runs.open.label', { time: due })}>
              {t('runs.open')}
            </RouterLink>
          </Link>
        )}
      </td>
    </tr>
  );
}
