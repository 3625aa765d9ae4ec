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

/** Makes a task. Answers `null` when that has succeeded, else what is wrong. */
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

/** Changes a task. Answers `null` when that has succeeded, else what is wrong. */
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

/** A failure as the form shows it; what belongs to no field is said by a toast too, as the specification has it. */
function failed(error: unknown, text: string): SubmitFailure {
  const failure = submitFailure(error, text);
  if (failure.fields.length === 0) notify.error(text);
  return failure;
}

/** Switches a task on or off: at once here, and back where the server refuses. */
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

/** Moves a task into the archive. Answers whether that has succeeded. */
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

/** Brings a task back from the archive. */
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

/** Tasks whose deletion was asked for here: of those the event says nothing new. */
const removing = new Set<string>();

/** Deletes a task with its history. Answers whether that has succeeded. */
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

/** A page that has lost an entry has room for the first one of the next; an emptied last page leads to the one before. */
function refill(): void {
  void tasks.refresh();
}

/** Something of a task has changed elsewhere, or it is due at another time: what is shown of it is asked for again. */
function changed({ taskId }: { taskId: string }): void {
  if (tasks.state.details[taskId]) void tasks.fetch(taskId);
  void tasks.refresh();
}

/** A task was deleted elsewhere. A page that shows it learns that from the server, and says so. */
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
