import { useWatch, type Control } from 'react-hook-form';
import { ScheduleNote } from '@/components/task/schedule-note';
import { scheduleSentence } from '@/lib/schedule-sentence';
import { completeSchedule, type TaskSchedule } from '@/lib/task';
import { useList } from '@/lib/use-collection';
import { formatInZone } from '@/lib/zoned-time';
import { tasks as t } from '@/messages/tasks';
import { comingRuns } from '@/stores/coming-runs-store';
import type { CheckedTask, TaskFields } from './task-schema';

/** When a schedule that is being filled in will run. */
export function ComingRuns({ control }: { control: Control<TaskFields, unknown, CheckedTask> }) {
  const schedule = completeSchedule(useWatch({ control, name: 'schedule' }));
  return schedule === null ? (
    <ScheduleNote sentence={null} coming={null} />
  ) : (
    <NextRuns schedule={schedule} />
  );
}

/** The schedule in a sentence. */
export function ScheduleSummary({ control }: { control: Control<TaskFields, unknown, CheckedTask> }) {
  const schedule = completeSchedule(useWatch({ control, name: 'schedule' }));
  return schedule === null ? t('sentence.incomplete') : scheduleSentence(schedule);
}

/**
 * A complete schedule in words, and its next three times. Without an answer of the server only the words are shown.
 */
export function NextRuns({ schedule }: { schedule: TaskSchedule }) {
  const { items, status } = useList(comingRuns, schedule);
  const waiting = status !== 'fetched' && status !== 'failed';
  const times = items.map(({ id }) => formatInZone(id, schedule.timeZone));
  return <ScheduleNote sentence={scheduleSentence(schedule)} coming={waiting ? null : times} />;
}
