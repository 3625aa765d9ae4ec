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

/** When schedules are due next, also such as are not saved, by the schedule. */
export const comingRuns = new Collection<ComingRun, TaskSchedule>({
  list: async (schedule) => {
    const times = await listComingRuns(schedule);
    const results = times.map((id) => ({ id }));
    return { results, pagination: { count: results.length, next: null, previous: null } };
  },
});

atSignOut(() => comingRuns.reset());

// A run that has begun is no next one any more.
followStream({
  on: { 'task.run-started': () => void comingRuns.refresh() },
  refresh: () => void comingRuns.refresh(),
});
