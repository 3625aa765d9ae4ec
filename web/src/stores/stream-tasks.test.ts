import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import type { TaskQuery } from '@/lib/task';
import * as line from '@/stream/line';
import { parseFrame, type EventFrame, type EventType } from '@/stream/frames';
import { eventually } from '@/testing/eventually';
import { runOf, taskOf } from '@/testing/fixtures/tasks';
import { conversationOf } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { startStream } from './stream-bindings';
import { taskRuns } from './task-runs-store';
import { removeTask, tasks } from './tasks-store';

const everything: TaskQuery = { status: 'all', project: null, search: '' };

function stream(): (type: EventType, data: object) => void {
  const open = vi.spyOn(line, 'openLine').mockReturnValue();
  startStream('u1', 0);
  const { handlers } = open.mock.calls[0]![0];
  return (type, data) => {
    const frame = parseFrame(
      JSON.stringify({
        type,
        at: '2026-11-20T10:00:00.000Z',
        stream: 'user',
        seq: 1,
        epoch: 0,
        generation: 0,
        data,
      }),
    );
    handlers.onUserEvent(frame as EventFrame);
  };
}

/** The data of the server; lists and the detail are shown. */
async function setup() {
  const held = { tasks: [taskOf()], runs: [runOf()], asked: 0 };
  server.use(
    http.get(api('discourse/scheduledtasks'), () => {
      held.asked++;
      return page(held.tasks);
    }),
    http.get(api('discourse/scheduledtasks/:id'), ({ params }) => {
      const found = held.tasks.find(({ id }) => id === params['id']);
      return found ? HttpResponse.json(found) : problem(404, 'D404', 'Not found.');
    }),
    http.get(api('discourse/scheduledtasks/:id/runs'), () => page(held.runs)),
  );
  tasks.watch(everything);
  taskRuns.watch('t1');
  await Promise.all([tasks.load(everything), tasks.fetch('t1'), taskRuns.load('t1')]);
  return held;
}

beforeEach(() => {
  tasks.reset();
  taskRuns.reset();
});

const listed = () => Object.values(tasks.state.lists)[0]?.ids;

describe('tasks in the person’s log', () => {
  it('a new one comes into the list that is shown', async () => {
    const say = stream();
    const held = await setup();
    held.tasks = [taskOf({ id: 't2', name: 'New' }), ...held.tasks];
    say('task.created', { taskId: 't2' });
    await eventually(() => expect(listed()).toEqual(['t2', 't1']));
  });

  it('a change in another tab is shown in the list and on its page', async () => {
    const say = stream();
    const held = await setup();
    held.tasks = [taskOf({ name: 'Evening', isEnabled: false, nextRunAt: null, version: 4 })];
    say('task.updated', { taskId: 't1' });
    await eventually(() => expect(tasks.state.details['t1']?.entity?.name).toBe('Evening'));
    await eventually(() => expect(tasks.state.byId['t1']?.nextRunAt).toBeNull());
  });

  it('one that was deleted elsewhere leaves the list, and its page says that it is gone', async () => {
    const say = stream();
    const held = await setup();
    held.tasks = [];
    say('task.deleted', { taskId: 't1' });
    await eventually(() => expect(tasks.state.details['t1']?.status).toBe('gone'));
    await eventually(() => expect(listed()).toEqual([]));
  });

  it('one that was deleted here is not asked for again', async () => {
    const say = stream();
    const held = await setup();
    vi.spyOn(notify, 'success').mockReturnValue();
    server.use(
      http.delete(api('discourse/scheduledtasks/t1'), () => {
        held.tasks = [];
        say('task.deleted', { taskId: 't1' });
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await removeTask('t1');
    expect(tasks.state.details['t1']).toBeUndefined();
  });

  it('a run that begins is in the history, and moves the next time', async () => {
    const say = stream();
    const held = await setup();
    held.tasks = [taskOf({ nextRunAt: '2026-12-07T08:30:00.000Z' })];
    held.runs = [
      runOf({ dueAt: '2026-11-30T08:30:00.000Z', status: 'running', conversationId: 'c2', endedAt: null }),
    ];
    say('task.run-started', {
      taskId: 't1',
      name: 'Monday report',
      dueAt: '2026-11-30T08:30:00.000Z',
      conversationId: 'c2',
    });
    await eventually(() =>
      expect(Object.values(taskRuns.state.byId).map(({ status }) => status)).toContain('running'),
    );
    await eventually(() => expect(tasks.state.byId['t1']?.nextRunAt).toBe('2026-12-07T08:30:00.000Z'));

    held.runs = [runOf({ dueAt: '2026-11-30T08:30:00.000Z', conversationId: 'c2' })];
    server.use(
      http.get(api('discourse/conversations/c2'), () => HttpResponse.json(conversationOf({ id: 'c2' }))),
    );
    say('conversation.streaming-complete', {
      conversationId: 'c2',
      turnId: 'n2',
      status: 'complete',
      credits: 1,
    });
    await eventually(() =>
      expect(taskRuns.state.byId['t1 2026-11-30T08:30:00.000Z']?.status).toBe('complete'),
    );
  });

  it('a run that failed is reported, with the reason', async () => {
    const error = vi.spyOn(notify, 'error').mockReturnValue();
    const say = stream();
    await setup();
    const note = { taskId: 't1', name: 'Monday report', dueAt: '2026-11-30T08:30:00.000Z' };
    say('task.run-failed', { ...note, reason: 'The blueprint is archived.' });
    say('task.run-failed', note);
    await eventually(() => expect(error).toHaveBeenCalledTimes(2));
    expect(error.mock.calls).toEqual([
      ['The scheduled task “Monday report” could not be run: The blueprint is archived.'],
      ['The scheduled task “Monday report” could not be run'],
    ]);
  });

  it('one that was switched off is reported', async () => {
    const info = vi.spyOn(notify, 'info').mockReturnValue();
    const say = stream();
    const held = await setup();
    held.tasks = [taskOf({ isEnabled: false, disabledReason: 'The blueprint was deleted.' })];
    say('task.switched-off', { taskId: 't1', name: 'Monday report', reason: 'The blueprint was deleted.' });
    await eventually(() =>
      expect(info).toHaveBeenCalledExactlyOnceWith(
        'The scheduled task “Monday report” was switched off: The blueprint was deleted.',
      ),
    );
    await eventually(() => expect(tasks.state.byId['t1']?.isEnabled).toBe(false));
  });

  it('asks for nothing when no list is shown', () => {
    const say = stream();
    say('task.updated', { taskId: 't1' });
    expect(tasks.state.lists).toEqual({});
  });
});
