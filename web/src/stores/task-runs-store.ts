import { listTaskRuns } from '@/api/tasks';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection } from '@/lib/collection';
import { followStream } from '@/lib/follow-stream';
import { taskPageSize } from '@/lib/task';
import type { TaskRun } from '@/lib/wire';

/** One due time of a task, and its result. */
export interface HeldRun extends TaskRun {
  /** There is one entry per due time. */
  id: string;
}

/** The histories of tasks, by the task's id. */
export const taskRuns = new Collection<HeldRun, string>({
  list: async (task, page) => {
    const { results, pagination } = await listTaskRuns(task, page, taskPageSize);
    return { results: results.map((run) => ({ ...run, id: `${task} ${run.dueAt}` })), pagination };
  },
});

atSignOut(() => taskRuns.reset());

/** A run has begun, failed or ended: the shown histories are fetched again. */
function changed(): void {
  void taskRuns.refresh();
}

/** A turn has ended; this changes a history only if it was a run that is loaded. */
function ended({ conversationId }: { conversationId: string }): void {
  const runs = Object.values(taskRuns.state.byId);
  if (runs.some((run) => run.conversationId === conversationId && run.status === 'running')) changed();
}

followStream({
  on: {
    'task.run-started': changed,
    'task.run-failed': changed,
    // A due time at which the previous run was still running is in the history, and only moves the next due time.
    'task.updated': changed,
    'conversation.streaming-complete': ended,
  },
  refresh: changed,
});
