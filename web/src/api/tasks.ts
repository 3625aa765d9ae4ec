import type { TaskDraft, TaskQuery, TaskSchedule } from '@/lib/task';
import type { Page, ScheduledTask, TaskRun, TimeZone } from '@/lib/wire';
import { call } from './client';
import { path } from './path';

const tasks = path`discourse/scheduledtasks`;

export function listTasks(
  { status, project, search }: TaskQuery,
  page: number,
  pageSize: number,
): Promise<Page<ScheduledTask>> {
  return call('GET', tasks, {
    query: {
      page_size: pageSize,
      page,
      status,
      search: search === '' ? undefined : search,
      filter: project === null ? undefined : `projectLabels:eq:${project}`,
    },
  });
}

export function getTask(id: string): Promise<ScheduledTask> {
  return call('GET', path`discourse/scheduledtasks/${id}`, { quiet: true });
}

/** A schedule as it is sent. */
function scheduleBody(schedule: TaskSchedule): object {
  return { type: 'cron', ...schedule };
}

function body({ name, icebreaker, projectLabels, schedule }: TaskDraft): object {
  return { name, icebreaker, projectLabels, schedule: scheduleBody(schedule) };
}

export function createTask(draft: TaskDraft, idempotencyKey: string): Promise<ScheduledTask> {
  return call('POST', tasks, { body: { ...body(draft), isEnabled: true }, idempotencyKey, quiet: true });
}

/**
 * Replaces the fields that a person fills in; the switch stays as it is. `version` is the version that was edited.
 */
export function updateTask(id: string, draft: TaskDraft, version: number): Promise<ScheduledTask> {
  return call('PUT', path`discourse/scheduledtasks/${id}`, {
    body: { ...body(draft), version },
    quiet: true,
  });
}

export function deleteTask(id: string): Promise<unknown> {
  return call('DELETE', path`discourse/scheduledtasks/${id}`, { quiet: true });
}

function setStatus(id: string, change: object): Promise<ScheduledTask> {
  return call('PATCH', path`user/me/scheduled-tasks/${id}/status`, {
    body: change,
    quiet: true,
  });
}

export function setTaskEnabled(id: string, isEnabled: boolean): Promise<ScheduledTask> {
  return setStatus(id, { isEnabled });
}

export function setTaskStatus(id: string, status: ScheduledTask['status']): Promise<ScheduledTask> {
  return setStatus(id, { status });
}

/** The result of each due time, the latest first. */
export function listTaskRuns(id: string, page: number, pageSize: number): Promise<Page<TaskRun>> {
  return call('GET', path`discourse/scheduledtasks/${id}/runs`, {
    query: { page_size: pageSize, page },
    quiet: true,
  });
}

/** The next times of a schedule that need not be saved. */
export async function listComingRuns(schedule: TaskSchedule): Promise<string[]> {
  const answer = await call<{ results: string[] }>('POST', path`discourse/scheduledtasks/next-runs`, {
    body: scheduleBody(schedule),
    quiet: true,
  });
  return answer.results;
}

export function listTimeZones(search: string, page: number, pageSize: number): Promise<Page<TimeZone>> {
  return call('GET', path`discourse/scheduledtasks/timezones`, {
    query: { page_size: pageSize, page, search: search === '' ? undefined : search },
    quiet: true,
  });
}
