import { listTaskRuns } from '@/api/tasks';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection } from '@/lib/collection';
import { followStream } from '@/lib/follow-stream';
import { taskPageSize } from '@/lib/task';
import type { TaskRun } from '@/lib/wire';

/** One due time of a task, and what became of it. */
export interface HeldRun extends TaskRun {
  /** Of each due time of a task there is one. */
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

/** A run has begun, failed or ended: the histories that are shown are asked for again. */
function changed(): void {
  void taskRuns.refresh();
}

/** A turn has ended; only where it was a run that is held does that change a history. */
function ended({ conversationId }: { conversationId: string }): void {
  const runs = Object.values(taskRuns.state.byId);
  if (runs.some((run) => run.conversationId === conversationId && run.status === 'running')) changed();
}

followStream({
  on: {
    'task.run-started': changed,
    'task.run-failed': changed,
    // A due time at which the run before still went on stands in the history, and only moves the next one.
    'task.updated': changed,
    'conversation.streaming-complete': ended,
  },
  refresh: changed,
});
