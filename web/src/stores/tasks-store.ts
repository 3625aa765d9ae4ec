import {
  createTask,
  deleteTask,
  getTask,
  listTasks,
  setTaskEnabled,
  setTaskStatus,
  updateTask,
} from '@/api/tasks';
import { atSignOut } from '@/lib/at-sign-out';
import { AttemptKey } from '@/lib/attempt-key';
import { Collection } from '@/lib/collection';
import { followStream } from '@/lib/follow-stream';
import { notify } from '@/lib/notify';
import { withServerMessage } from '@/lib/server-message';
import { submitFailure, type SubmitFailure } from '@/lib/submit-failure';
import { inTaskList, taskPageSize, type TaskDraft, type TaskQuery } from '@/lib/task';
import type { ScheduledTask } from '@/lib/wire';
import { tasks as t } from '@/messages/tasks';

/** The scheduled tasks that this person sees: their own, and for superusers those of the organisation. */
export const tasks = new Collection<ScheduledTask, TaskQuery>({
  list: (query, page) => listTasks(query, page, taskPageSize),
  get: (id) => getTask(String(id)),
  belongs: inTaskList,
});

atSignOut(() => tasks.reset());

const attempt = new AttemptKey();

/** Makes a task. Returns `null` on success, else what is wrong. */
export async function scheduleTask(draft: TaskDraft): Promise<SubmitFailure | null> {
  try {
    tasks.put(await createTask(draft, attempt.of(draft)));
  } catch (error) {
    return failed(error, t('toast.create.failed'));
  }
  attempt.done();
  notify.success(t('toast.created'));
  return null;
}

/** Changes a task. Returns `null` on success, else what is wrong. */
export async function changeTask(
  id: string,
  draft: TaskDraft,
  version: number,
): Promise<SubmitFailure | null> {
  try {
    tasks.put(await updateTask(id, draft, version));
  } catch (error) {
    return failed(error, t('toast.update.failed'));
  }
  notify.success(t('toast.updated'));
  return null;
}

/** Converts a failure for the form; a problem without a field is also shown in a toast, as specified. */
function failed(error: unknown, text: string): SubmitFailure {
  const failure = submitFailure(error, text);
  if (failure.fields.length === 0) notify.error(text);
  return failure;
}

/** Switches a task on or off: at once here, and reverted if the server refuses. */
export async function switchTask(id: string, isEnabled: boolean): Promise<void> {
  const before = tasks.state.byId[id];
  if (!before) return;
  const { nextRunAt } = before;
  tasks.patch(id, isEnabled ? { isEnabled } : { isEnabled, nextRunAt: null });
  try {
    tasks.put(await setTaskEnabled(id, isEnabled));
    notify.success(t('toast.updated'));
  } catch (error) {
    tasks.patch(id, { isEnabled: !isEnabled, nextRunAt });
    notify.error(withServerMessage(error, t('toast.update.failed')));
  }
}

/** Moves a task into the archive. Returns whether that succeeded. */
export async function archiveTask(id: string): Promise<boolean> {
  try {
    tasks.put(await setTaskStatus(id, 'archived'));
  } catch (error) {
    notify.error(withServerMessage(error, t('toast.archive.failed')));
    return false;
  }
  notify.success(t('toast.archived'));
  refill();
  return true;
}

/** Restores a task from the archive. */
export async function unarchiveTask(id: string): Promise<void> {
  try {
    tasks.put(await setTaskStatus(id, 'active'));
  } catch (error) {
    notify.error(withServerMessage(error, t('toast.update.failed')));
    return;
  }
  notify.success(t('toast.updated'));
  refill();
}

/** Tasks whose deletion was requested here: the event for them is nothing new. */
const removing = new Set<string>();

/** Deletes a task with its history. Returns whether that succeeded. */
export async function removeTask(id: string): Promise<boolean> {
  removing.add(id);
  try {
    await deleteTask(id);
  } catch (error) {
    removing.delete(id);
    notify.error(withServerMessage(error, t('toast.delete.failed')));
    return false;
  }
  tasks.forget(id);
  notify.success(t('toast.deleted'));
  refill();
  return true;
}

/**
 * A page that has lost an entry has space for the first one of the next page; if the last page is empty, the one
 * before is shown.
 */
function refill(): void {
  void tasks.refresh();
}

/** A task has changed elsewhere, or its next due time has: its shown data are fetched again. */
function changed({ taskId }: { taskId: string }): void {
  if (tasks.state.details[taskId]) void tasks.fetch(taskId);
  void tasks.refresh();
}

/** A task was deleted elsewhere. A page that shows it gets that from the server, and says so. */
function deleted({ taskId }: { taskId: string }): void {
  if (tasks.state.details[taskId] && !removing.has(taskId)) void tasks.fetch(taskId);
  void tasks.refresh();
}

followStream({
  on: {
    'task.created': changed,
    'task.updated': changed,
    'task.deleted': deleted,
    // A run moves the next due time.
    'task.run-started': changed,
    'task.run-failed': changed,
    'task.switched-off': changed,
  },
  refresh: () => {
    for (const id of Object.keys(tasks.state.details)) void tasks.fetch(id);
    void tasks.refresh();
  },
});
