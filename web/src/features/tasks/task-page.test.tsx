import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { patterns } from '@/lib/paths';
import type { ScheduledTask, TaskRun } from '@/lib/wire';
import { resetBlueprints } from '@/stores/blueprints-store/blueprints';
import { comingRuns } from '@/stores/coming-runs-store';
import { taskRuns } from '@/stores/task-runs-store';
import { tasks } from '@/stores/tasks-store';
import { runOf, taskOf } from '@/testing/fixtures/tasks';
import { blueprintOf } from '@/testing/fixtures/wire';
import { personOf, signInAs } from '@/testing/person';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Component as TaskPage } from './task-page';

const free = blueprintOf({
  name: 'Weekly report',
  inputs: [],
  abilities: { ...blueprintOf().abilities, schedule: true },
});

async function setup(path: string, task: ScheduledTask | null = taskOf(), runs: TaskRun[] = []) {
  await signInAs(personOf());
  server.use(
    http.get(api('discourse/projectlabels'), () => page([{ id: 3, name: 'Sales', color: 'Teal blue' }])),
    http.get(api('discourse/blueprints'), () => page([free])),
    http.get(api('discourse/blueprints/7'), () => HttpResponse.json(free)),
    http.get(api('discourse/scheduledtasks/timezones'), () =>
      page([{ timezone: 'Europe/Paris', offset: '+01:00' }]),
    ),
    http.post(api('discourse/scheduledtasks/next-runs'), () =>
      HttpResponse.json({ results: ['2026-11-30T08:30:00.000Z'] }),
    ),
    http.get(api('discourse/scheduledtasks/t1'), () =>
      task ? HttpResponse.json(task) : problem(404, 'D404', 'Not found.'),
    ),
    http.get(api('discourse/scheduledtasks/t1/runs'), () => page(runs)),
  );
  return renderAt(path, {
    [patterns.tasks]: <h1>All tasks</h1>,
    [patterns.task]: <TaskPage />,
    [patterns.taskEdit]: <TaskPage />,
  });
}

beforeEach(() => {
  for (const store of [tasks, taskRuns, comingRuns]) store.reset();
  resetBlueprints();
});

describe('/tasks/{id}', () => {
  it('shows when it runs, its blueprint and, in the second step, its fields, which cannot be changed', async () => {
    const { user } = await setup('/tasks/t1');
    expect(await screen.findByRole('heading', { name: 'Monday report' })).toBeVisible();
    expect(screen.getByText('Runs every Monday at 9:30 AM, Europe/Paris time.')).toBeVisible();
    expect(await screen.findByText(/Mon, Nov 30, 2026, 9:30\sAM GMT\+1/u)).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Weekly report' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the blueprint' })).toHaveAttribute('href', '/blueprints/7');
    await user.click(screen.getAllByRole('button', { name: /General/u })[0]!);
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveAttribute('readonly');
    expect(screen.getByRole('combobox', { name: 'Frequency' })).toBeDisabled();
    expect(screen.queryByRole('button', { name: 'Save changes' })).not.toBeInTheDocument();
  });

  it('shows what became of its runs, with the way to their conversations', async () => {
    await setup('/tasks/t1', taskOf(), [
      runOf({ dueAt: '2026-11-30T08:30:00.000Z', status: 'running', conversationId: 'c2', endedAt: null }),
      runOf(),
      runOf({
        dueAt: '2026-11-16T08:30:00.000Z',
        status: 'skipped',
        reason: 'The due time was missed while the server was not running.',
        conversationId: null,
        turnId: null,
      }),
      runOf({ dueAt: '2026-11-09T08:30:00.000Z', status: 'failed', reason: 'The blueprint is archived.' }),
    ]);
    const table = await screen.findByRole('table', { name: 'Run history' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows[0]).toHaveTextContent('Running');
    expect(rows[1]).toHaveTextContent('Complete');
    expect(rows[1]).toHaveTextContent('42 sec');
    expect(
      within(rows[1]!).getByRole('link', { name: /Open the conversation of Mon, Nov 23/u }),
    ).toHaveAttribute('href', '/conversations/c1');
    expect(rows[2]).toHaveTextContent('Skipped');
    expect(rows[2]).toHaveTextContent('The due time was missed');
    expect(within(rows[2]!).queryByRole('link')).not.toBeInTheDocument();
    expect(rows[3]).toHaveTextContent('FailedThe blueprint is archived.');
  });

  it('says that it has not run yet', async () => {
    await setup('/tasks/t1');
    expect(await screen.findByText('It has not run yet.')).toBeVisible();
  });

  it('tries the history again when it could not be loaded', async () => {
    const { user } = await setup('/tasks/t1');
    await screen.findByText('It has not run yet.');
    taskRuns.reset();
    server.use(http.get(api('discourse/scheduledtasks/t1/runs'), () => problem(500, 'I500', 'Broken.')));
    await screen.findByText('The history could not be loaded');
    server.use(http.get(api('discourse/scheduledtasks/t1/runs'), () => page([runOf()])));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Complete')).toBeVisible();
  });

  it('says why it cannot run any more', async () => {
    await setup(
      '/tasks/t1',
      taskOf({ isEnabled: false, nextRunAt: null, disabledReason: 'The blueprint was deleted.' }),
    );
    expect(await screen.findByText(/This task cannot run: The blueprint was deleted\./u)).toBeVisible();
    expect(screen.queryByText('Next runs')).not.toBeInTheDocument();
  });

  it('of one that is not there, goes to the list and says so', async () => {
    const error = vi.spyOn(notify, 'error').mockReturnValue();
    const { where } = await setup('/tasks/t1', null);
    expect(await screen.findByRole('heading', { name: 'All tasks' })).toBeVisible();
    expect(where()).toBe('/tasks');
    expect(error).toHaveBeenCalledExactlyOnceWith('Scheduled task t1 not found');
  });

  it('says that it could not be loaded, and tries again', async () => {
    const { user } = await setup('/tasks/t1');
    await screen.findByRole('heading', { name: 'Monday report' });
    server.use(http.get(api('discourse/scheduledtasks/t1'), () => problem(500, 'I500', 'Broken.')));
    tasks.reset();
    await tasks.fetch('t1');
    expect(await screen.findByRole('heading', { name: 'The task could not be loaded' })).toBeVisible();
    server.use(http.get(api('discourse/scheduledtasks/t1'), () => HttpResponse.json(taskOf())));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Monday report' })).toBeVisible();
  });
});

describe('/tasks/{id}/edit', () => {
  it('saves what was changed, and returns to the list', async () => {
    const success = vi.spyOn(notify, 'success').mockReturnValue();
    let body: unknown;
    const { user, where } = await setup('/tasks/t1/edit');
    server.use(
      http.put(api('discourse/scheduledtasks/t1'), async ({ request }) => {
        body = await request.json();
        return HttpResponse.json(taskOf({ name: 'Evening' }));
      }),
    );
    await user.click((await screen.findAllByRole('button', { name: /General/u }))[0]!);
    const name = screen.getByRole('textbox', { name: 'Name' });
    await user.clear(name);
    await user.type(name, 'Evening');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(where()).toBe('/tasks'));
    expect(body).toMatchObject({ name: 'Evening', icebreaker: 7, version: 3 });
    expect(success).toHaveBeenCalledExactlyOnceWith('Scheduled task updated successfully');
  });

  it('says that somebody else has changed it meanwhile', async () => {
    vi.spyOn(notify, 'error').mockReturnValue();
    const { user, where } = await setup('/tasks/t1/edit');
    server.use(
      http.put(api('discourse/scheduledtasks/t1'), () =>
        problem(409, 'conflict', 'Somebody else changed this meanwhile. Please load it again.'),
      ),
    );
    await user.click((await screen.findAllByRole('button', { name: /General/u }))[0]!);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), '!');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText(/Somebody else changed this meanwhile/u)).toBeVisible();
    expect(where()).toBe('/tasks/t1/edit');
  });

  it('shows somebody who may only look the task itself', async () => {
    const { where } = await setup(
      '/tasks/t1/edit',
      taskOf({ abilities: { edit: false, enable: false, archive: true, delete: false } }),
    );
    expect(await screen.findByRole('heading', { name: 'Run history' })).toBeVisible();
    expect(where()).toBe('/tasks/t1');
    expect(screen.queryByRole('link', { name: 'Edit' })).not.toBeInTheDocument();
  });
});
