import { listComingRuns } from '@/api/tasks';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection } from '@/lib/collection';
import { followStream } from '@/lib/follow-stream';
import type { TaskSchedule } from '@/lib/task';

/** One of the next times of a schedule. */
interface ComingRun {
  /** The time itself, RFC 3339. */
  id: string;
}

/** The next due times by schedule, also for schedules that are not saved. */
export const comingRuns = new Collection<ComingRun, TaskSchedule>({
  list: async (schedule) => {
    const times = await listComingRuns(schedule);
    const results = times.map((id) => ({ id }));
    return { results, pagination: { count: results.length, next: null, previous: null } };
  },
});

atSignOut(() => comingRuns.reset());

// A run that has begun is no longer one of the next ones.
followStream({
  on: { 'task.run-started': () => void comingRuns.refresh() },
  refresh: () => void comingRuns.refresh(),
});
