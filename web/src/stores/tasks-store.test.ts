import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listKey } from '@/lib/collection';
import { notify } from '@/lib/notify';
import type { TaskDraft, TaskQuery } from '@/lib/task';
import { taskOf } from '@/testing/fixtures/tasks';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import {
  archiveTask,
  changeTask,
  removeTask,
  scheduleTask,
  switchTask,
  tasks,
  unarchiveTask,
} from './tasks-store';

const all = api('discourse/scheduledtasks');
const one = api('discourse/scheduledtasks/t1');
const status = api('user/me/scheduled-tasks/t1/status');

const everything: TaskQuery = { status: 'all', project: null, search: '' };
const archive: TaskQuery = { ...everything, status: 'archived' };

const draft: TaskDraft = {
  name: 'Monday report',
  icebreaker: 7,
  projectLabels: [3],
  schedule: { frequencyType: 'weekly', timeZone: 'Europe/Paris', time: '09:30', dayOfWeek: 1 },
};

const said = { success: vi.fn(), error: vi.fn() };

beforeEach(() => {
  tasks.reset();
  said.success = vi.spyOn(notify, 'success').mockReturnValue();
  said.error = vi.spyOn(notify, 'error').mockReturnValue();
});

describe('lists', () => {
  it('ask for a page of ten, and for what they are narrowed by', async () => {
    const asked: unknown[] = [];
    server.use(
      http.get(all, ({ request }) => {
        asked.push(Object.fromEntries(new URL(request.url).searchParams));
        return page([taskOf()]);
      }),
    );
    await tasks.load(everything);
    await tasks.load({ status: 'archived', project: 3, search: 'mon' });
    expect(asked).toEqual([
      { page_size: '10', page: '1', status: 'all' },
      { page_size: '10', page: '1', status: 'archived', search: 'mon', filter: 'projectLabels:eq:3' },
    ]);
  });
});

describe('scheduleTask', () => {
  it('sends an enabled task with its schedule, and keeps the answer', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post(all, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json(taskOf(), { status: 201 });
      }),
    );
    expect(await scheduleTask(draft)).toBeNull();
    expect(bodies).toEqual([
      {
        name: 'Monday report',
        icebreaker: 7,
        projectLabels: [3],
        isEnabled: true,
        schedule: {
          type: 'cron',
          frequencyType: 'weekly',
          timeZone: 'Europe/Paris',
          time: '09:30',
          dayOfWeek: 1,
        },
      },
    ]);
    expect(tasks.state.byId['t1']?.name).toBe('Monday report');
    expect(said.success).toHaveBeenCalledExactlyOnceWith('Scheduled task created successfully');
  });

  it('is made once however often it is sent, until it has succeeded', async () => {
    const keys: (string | null)[] = [];
    let broken = true;
    server.use(
      http.post(all, ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return broken ? problem(500, 'I500', 'Broken.') : HttpResponse.json(taskOf(), { status: 201 });
      }),
    );
    expect(await scheduleTask(draft)).toEqual({ message: 'Broken.', fields: [] });
    expect(said.error).toHaveBeenCalledExactlyOnceWith('Failed to create scheduled task');
    broken = false;
    await scheduleTask(draft);
    await scheduleTask(draft);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('answers what is wrong with single fields without a toast', async () => {
    const fields = [{ field: 'schedule.time', message: 'Please select a time' }];
    server.use(http.post(all, () => problem(422, 'invalid', 'Not valid.', fields)));
    expect(await scheduleTask(draft)).toEqual({ message: 'Not valid.', fields });
    expect(said.error).not.toHaveBeenCalled();
  });
});

describe('changeTask', () => {
  it('sends the version that was changed, and not the switch', async () => {
    let body: unknown;
    server.use(
      http.put(one, async ({ request }) => {
        body = await request.json();
        return HttpResponse.json(taskOf({ name: 'Evening', version: 4 }));
      }),
    );
    expect(await changeTask('t1', { ...draft, name: 'Evening' }, 3)).toBeNull();
    expect(body).toMatchObject({ name: 'Evening', version: 3 });
    expect(body).not.toHaveProperty('isEnabled');
    expect(tasks.state.details['t1']?.entity).toMatchObject({ name: 'Evening', version: 4 });
    expect(said.success).toHaveBeenCalledExactlyOnceWith('Scheduled task updated successfully');
  });

  it('says that it failed', async () => {
    server.use(http.put(one, () => problem(409, 'conflict', 'Somebody else changed this meanwhile.')));
    expect(await changeTask('t1', draft, 3)).toMatchObject({
      message: 'Somebody else changed this meanwhile.',
    });
    expect(said.error).toHaveBeenCalledExactlyOnceWith('Failed to update scheduled task');
  });
});

describe('switchTask', () => {
  it('switches at once, and takes the next time from the answer', async () => {
    tasks.put(taskOf({ isEnabled: false, nextRunAt: null }));
    server.use(http.patch(status, () => HttpResponse.json(taskOf())));
    const switching = switchTask('t1', true);
    expect(tasks.state.byId['t1']).toMatchObject({ isEnabled: true, nextRunAt: null });
    await switching;
    expect(tasks.state.byId['t1']?.nextRunAt).toBe('2026-11-30T08:30:00.000Z');
  });

  it('goes back when the server refuses, and says why', async () => {
    tasks.put(taskOf());
    server.use(http.patch(status, () => problem(422, 'invalid', 'The blueprint is not available.')));
    const switching = switchTask('t1', false);
    expect(tasks.state.byId['t1']).toMatchObject({ isEnabled: false, nextRunAt: null });
    await switching;
    expect(tasks.state.byId['t1']).toMatchObject({ isEnabled: true, nextRunAt: '2026-11-30T08:30:00.000Z' });
    expect(said.error).toHaveBeenCalledExactlyOnceWith(
      'Failed to update scheduled task: The blueprint is not available.',
    );
  });
});

describe('archiveTask', () => {
  beforeEach(async () => {
    server.use(http.get(all, () => page([taskOf()])));
    await tasks.load(everything);
  });

  it('takes it out of the list', async () => {
    let body: unknown;
    server.use(
      http.patch(status, async ({ request }) => {
        body = await request.json();
        return HttpResponse.json(taskOf({ status: 'archived', nextRunAt: null }));
      }),
    );
    expect(await archiveTask('t1')).toBe(true);
    expect(body).toEqual({ status: 'archived' });
    expect(tasks.state.lists[listKey(everything)]?.ids).toEqual([]);
    expect(said.success).toHaveBeenCalledExactlyOnceWith('Scheduled task archived successfully');
  });

  it('says that it failed', async () => {
    server.use(http.patch(status, () => problem(403, 'forbidden', 'Its owner may delete it.')));
    expect(await archiveTask('t1')).toBe(false);
    expect(said.error).toHaveBeenCalledExactlyOnceWith(
      'Failed to archive scheduled task: Its owner may delete it.',
    );
    expect(tasks.state.lists[listKey(everything)]?.ids).toEqual(['t1']);
  });

  it('can be taken back', async () => {
    server.use(
      http.get(all, () => page([taskOf({ status: 'archived' })])),
      http.patch(status, () => HttpResponse.json(taskOf())),
    );
    await tasks.load(archive);
    await unarchiveTask('t1');
    expect(tasks.state.lists[listKey(archive)]?.ids).toEqual([]);
  });
});

describe('removeTask', () => {
  it('forgets it, and fills the page up; an emptied last page leads to the one before', async () => {
    const first = Array.from({ length: 10 }, (_, index) => taskOf({ id: `a${index}` }));
    const pages: string[] = [];
    let last = [taskOf()];
    server.use(
      http.get(all, ({ request }) => {
        const asked = new URL(request.url).searchParams.get('page') ?? '';
        pages.push(asked);
        const results = asked === '1' ? first : last;
        return HttpResponse.json({
          results,
          pagination: { count: first.length + last.length, next: null, previous: null },
        });
      }),
      http.delete(one, () => {
        last = [];
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const unwatch = tasks.watch(everything);
    await tasks.goTo(everything, 2);
    expect(await removeTask('t1')).toBe(true);
    await vi.waitFor(() => expect(tasks.state.lists[listKey(everything)]?.first).toBe(1));
    expect(pages).toEqual(['2', '2', '1']);
    expect(tasks.state.lists[listKey(everything)]?.ids).toHaveLength(10);
    expect(said.success).toHaveBeenCalledExactlyOnceWith('Scheduled task deleted successfully');
    unwatch();
  });

  it('says that it failed', async () => {
    tasks.put(taskOf());
    server.use(http.delete(one, () => problem(500, 'I500', 'Broken.')));
    expect(await removeTask('t1')).toBe(false);
    expect(tasks.state.byId['t1']).toBeDefined();
    expect(said.error).toHaveBeenCalledExactlyOnceWith('Failed to delete scheduled task: Broken.');
  });
});
