import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import type { ScheduledTask } from '@/lib/wire';
import { resetProjectLabels } from '@/stores/project-labels-store';
import { tasks } from '@/stores/tasks-store';
import { taskOf } from '@/testing/fixtures/tasks';
import { ada } from '@/testing/fixtures/wire';
import { personOf, signInAs } from '@/testing/person';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Component as TasksPage } from './tasks-page';

const all = api('discourse/scheduledtasks');

/** Shows the page with the data of the server. */
async function setup(held: ScheduledTask[] = [taskOf()], person = personOf()) {
  await signInAs(person);
  const asked: string[] = [];
  server.use(
    http.get(api('discourse/projectlabels'), () => page([])),
    http.get(all, ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query.toString());
      const status = query.get('status') === 'archived' ? 'archived' : 'active';
      return page(held.filter((task) => task.status === status));
    }),
  );
  return { ...renderAt('/tasks', { '/tasks': <TasksPage /> }), asked };
}

beforeEach(() => {
  tasks.reset();
  resetProjectLabels();
});

const ben = { id: 2, uuid: 'u2', fullName: 'Ben Ames' };
const others = taskOf({
  owner: ben,
  abilities: { edit: false, enable: false, archive: true, delete: false },
});
const boss = personOf({ isSuperuser: true });

describe('TasksPage', () => {
  it('shows each task by its name, owner, projects, next time and switch', async () => {
    await setup();
    const row = await screen.findByRole('row', { name: /Monday report/u });
    expect(within(row).getByRole('link', { name: 'Monday report' })).toHaveAttribute('href', '/tasks/t1');
    expect(within(row).getByText('Ada Lindqvist')).toBeVisible();
    expect(within(row).getByText('Sales')).toBeVisible();
    expect(within(row).getByText(/^Mon, Nov 30, 2026, 9:30\sAM GMT\+1$/u)).toBeVisible();
    expect(within(row).getByRole('switch', { name: 'Monday report is active' })).toBeChecked();
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(
      expect.arrayContaining(['Name', 'Owner', 'Project', 'Next runs at', 'Active']),
    );
    expect(screen.getByText('1 task')).toBeVisible();
  });

  it('shows a dash for one that is not due', async () => {
    await setup([taskOf({ isEnabled: false, nextRunAt: null })]);
    const row = await screen.findByRole('row', { name: /Monday report/u });
    expect(within(row).getByText('-')).toBeVisible();
  });

  it('says what a task is when there is none, and offers to make one', async () => {
    await setup([]);
    expect(await screen.findByText('No scheduled tasks')).toBeVisible();
    expect(screen.getAllByRole('button', { name: 'Schedule task' })).toHaveLength(2);
  });

  it('says that the list could not be loaded, and tries again', async () => {
    const { user } = await setup();
    await screen.findByRole('link', { name: 'Monday report' });
    tasks.reset();
    server.use(http.get(all, () => problem(500, 'I500', 'Broken.')));
    expect(await screen.findByText('The tasks could not be loaded')).toBeVisible();
    server.use(http.get(all, () => page([taskOf()])));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Monday report' })).toBeVisible();
  });

  it('keeps the archived ones apart, whose switch is disabled', async () => {
    const { user, asked } = await setup([taskOf(), taskOf({ id: 't2', name: 'Old', status: 'archived' })]);
    await screen.findByRole('link', { name: 'Monday report' });
    await user.click(screen.getByRole('radio', { name: 'Archived' }));
    const row = await screen.findByRole('row', { name: /Old/u });
    expect(within(row).getByRole('switch')).toBeDisabled();
    expect(asked).toEqual(['page_size=10&page=1&status=all', 'page_size=10&page=1&status=archived']);
  });

  it('has no list of the user or of what is shared yet, and no calendar', async () => {
    const { user, asked } = await setup();
    await screen.findByRole('link', { name: 'Monday report' });
    for (const name of ['User', 'Shared with me', 'Calendar: Coming soon']) {
      const choice = screen.getByRole('radio', { name });
      expect(choice).toHaveAttribute('aria-disabled', 'true');
      await user.click(choice);
    }
    expect(screen.getByRole('radio', { name: 'All' })).toBeChecked();
    expect(screen.getByRole('radio', { name: 'List' })).toBeChecked();
    await user.hover(screen.getByRole('radio', { name: 'List' }));
    await user.hover(screen.getByRole('radio', { name: 'Calendar: Coming soon' }));
    await waitFor(() => expect(screen.getByRole('tooltip')).toHaveTextContent('Coming soon'));
    expect(asked).toHaveLength(1);
  });

  it('goes from page to page of ten', async () => {
    const many = Array.from({ length: 10 }, (_, index) => taskOf({ id: `a${index}`, name: `Task ${index}` }));
    const { user } = await setup(many);
    await screen.findByRole('link', { name: 'Task 0' });
    tasks.reset();
    server.use(
      http.get(all, ({ request }) => {
        const second = new URL(request.url).searchParams.get('page') === '2';
        return HttpResponse.json({
          results: second ? [taskOf({ name: 'The eleventh' })] : many,
          pagination: { count: 11, next: second ? null : '/next', previous: null },
        });
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'Next page' }));
    expect(await screen.findByRole('link', { name: 'The eleventh' })).toBeVisible();
    expect(screen.getByText('11–11 of 11')).toBeVisible();
  });

  it('switches a task off', async () => {
    vi.spyOn(notify, 'success').mockReturnValue();
    const { user } = await setup();
    server.use(
      http.patch(api('user/me/scheduled-tasks/t1/status'), () =>
        HttpResponse.json(taskOf({ isEnabled: false, nextRunAt: null })),
      ),
    );
    await user.click(await screen.findByRole('switch', { name: 'Monday report is active' }));
    await waitFor(() => expect(screen.getByRole('switch')).not.toBeChecked());
  });

  it('offers its owner Edit and Delete, and no Archive', async () => {
    const { user, where } = await setup([taskOf()], boss);
    await user.click(await screen.findByRole('button', { name: /Monday report/u }));
    const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    expect(items.map((text) => text.trim())).toEqual(['Edit', 'Delete']);
    expect(ada.uuid).toBe(boss.uuid);
    expect(where()).toBe('/tasks');
  });

  it('offers a superuser to archive the task of somebody else, after asking', async () => {
    const success = vi.spyOn(notify, 'success').mockReturnValue();
    const held = [others];
    const { user } = await setup(held, boss);
    server.use(
      http.patch(api('user/me/scheduled-tasks/t1/status'), () => {
        held[0] = { ...others, status: 'archived', nextRunAt: null };
        return HttpResponse.json(held[0]);
      }),
    );
    await user.click(await screen.findByRole('button', { name: /Monday report/u }));
    for (const name of [/^Edit/u, /^Delete/u]) {
      expect(screen.getByRole('menuitem', { name })).toHaveAttribute('aria-disabled', 'true');
    }
    await user.click(screen.getByRole('menuitem', { name: 'Archive' }));
    const dialog = screen.getByRole('alertdialog', { name: 'Archive Scheduled Task' });
    expect(dialog).toHaveTextContent('“Monday report” of Ben Ames stops running');
    await user.click(within(dialog).getByRole('button', { name: 'Archive' }));
    expect(await screen.findByText('No scheduled tasks')).toBeVisible();
    expect(success).toHaveBeenCalledExactlyOnceWith('Scheduled task archived successfully');
  });

  it('deletes a task, after asking', async () => {
    vi.spyOn(notify, 'success').mockReturnValue();
    const held = [taskOf()];
    const { user } = await setup(held);
    server.use(
      http.delete(api('discourse/scheduledtasks/t1'), () => {
        held.length = 0;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await user.click(await screen.findByRole('button', { name: /Monday report/u }));
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
    const dialog = screen.getByRole('alertdialog', { name: 'Delete Scheduled Work' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('No scheduled tasks')).toBeVisible();
  });
});
