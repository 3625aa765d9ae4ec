import { screen, waitFor, within } from '@testing-library/react';
import { Toaster } from '@/testing/toasts';
import { beforeEach, describe, expect, it } from 'vitest';
import { patterns } from '@/lib/paths';
import type { ProjectLabel } from '@/lib/wire';
import { resetProjectContent } from '@/stores/project-content-store';
import { resetProjectLabels } from '@/stores/project-labels-store';
import { blank } from '@/testing/fixtures/blank';
import { projectOf } from '@/testing/fixtures/projects';
import { blueprintOf, conversationOf, dataSourceOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { nobody } from '@/testing/sign-in';
import { personOf, signInAs } from '@/testing/person';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Component as ProjectEditPage } from './project-edit-page';
import { Component as ProjectPage } from './project-page';
import { Component as ProjectsPage } from './projects-page';

const list = api('discourse/projectlabels');
const one = api('discourse/projectlabels/:id');

/** A server that keeps projects and applies the requests. */
function keep(...projects: ProjectLabel[]) {
  const sent: Record<string, unknown>[] = [];
  server.use(
    http.get(list, () => page(projects)),
    http.post(list, async ({ request }) => {
      const body = (await request.json()) as Partial<ProjectLabel>;
      sent.push({ ...body, key: request.headers.get('Idempotency-Key') });
      const made = projectOf({ id: 9, conversations: 0, ...body });
      projects.push(made);
      return HttpResponse.json(made, { status: 201 });
    }),
    http.put(one, async ({ request }) => {
      const body = (await request.json()) as Partial<ProjectLabel>;
      sent.push(body);
      projects[0] = projectOf({ ...body, version: 5 });
      return HttpResponse.json(projects[0]);
    }),
    http.delete(one, () => {
      projects.shift();
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

function open(path: string) {
  return renderAt(path, {
    [patterns.projects]: (
      <>
        <ProjectsPage />
        <Toaster />
      </>
    ),
    [patterns.project]: (
      <>
        <ProjectPage />
        <Toaster />
      </>
    ),
    [patterns.projectEdit]: (
      <>
        <ProjectEditPage />
        <Toaster />
      </>
    ),
  });
}

beforeEach(() => {
  nobody();
  resetProjectLabels();
  resetProjectContent();
});

describe('the list', () => {
  it('shows the projects as cards that lead to their pages, after the one that makes a new one', async () => {
    keep(projectOf(), projectOf({ id: 4, name: 'Autumn', conversations: 1 }));
    open('/projects');
    expect(await screen.findByRole('link', { name: 'Spring' })).toHaveAttribute('href', '/projects/3');
    const cards = within(screen.getByRole('list', { name: 'Projects' })).getAllByRole('listitem');
    expect(cards.map((card) => card.textContent)).toEqual([
      'Create Project',
      expect.stringContaining('2 conversations'),
      expect.stringContaining('1 conversation'),
    ]);
  });

  it('is searched by name and description', async () => {
    keep(projectOf(), projectOf({ id: 4, name: 'Autumn', description: 'Leaves' }));
    const { user } = open('/projects');
    await user.type(await screen.findByRole('combobox', { name: 'Search projects' }), 'leav');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Spring' })).toBeNull());
    expect(screen.getByText('Found: 1')).toBeVisible();
  });

  it('says what projects are for when there is none', async () => {
    keep();
    open('/projects');
    expect(await screen.findByRole('heading', { name: 'No projects' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Create Project' })).toBeVisible();
  });

  it('can be asked for again when it could not be loaded', async () => {
    server.use(http.get(list, () => problem(500, 'internal', 'It broke')));
    const { user } = open('/projects');
    const again = await screen.findByRole('button', { name: 'Try again' });
    keep(projectOf());
    await user.click(again);
    expect(await screen.findByRole('link', { name: 'Spring' })).toBeVisible();
  });
});

describe('making one', () => {
  async function dialog() {
    const view = open('/projects');
    await view.user.click(await screen.findByRole('button', { name: 'Create Project' }));
    return { ...view, dialog: within(await screen.findByRole('dialog', { name: 'Create Project' })) };
  }

  it('offers six colours by name', async () => {
    keep();
    const { dialog: d } = await dialog();
    expect(d.getAllByRole('radio').map((radio) => radio.closest('button')?.textContent)).toEqual([
      'Olive Green',
      'Royal Blue',
      'Rose pink',
      'Teal blue',
      'Golden yellow',
      'Scarlet red',
    ]);
  });

  it('asks for a name, a description and a colour', async () => {
    const sent = keep();
    const { user, dialog: d } = await dialog();
    await user.click(d.getByRole('button', { name: 'Create' }));
    expect(await d.findByText('Please enter a valid name')).toBeVisible();
    expect(d.getByText('Please enter a valid description')).toBeVisible();
    expect(d.getByText('Please enter a valid color')).toBeVisible();
    await waitFor(() => expect(d.getByRole('textbox', { name: /Name/u })).toHaveFocus());
    expect(sent).toEqual([]);
  });

  it('shows the new one in the list, and says so', async () => {
    const sent = keep(projectOf());
    const { user, dialog: d } = await dialog();
    await user.type(d.getByRole('textbox', { name: /Name/u }), ' Winter ');
    await user.type(d.getByRole('textbox', { name: /Description/u }), 'Snow');
    await user.click(d.getByRole('radio', { name: 'Scarlet red' }));
    await user.click(d.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('Project created successfully')).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: 'Winter' })).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent).toEqual([
      { name: 'Winter', description: 'Snow', color: 'Scarlet red', key: expect.any(String) as string },
    ]);
  });

  it('says when it failed, keeps what was typed, and makes one only when it is sent again', async () => {
    const keys: (string | null)[] = [];
    keep();
    server.use(
      http.post(list, ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return problem(503, 'unavailable', 'The database is away');
      }),
    );
    const { user, dialog: d } = await dialog();
    await user.type(d.getByRole('textbox', { name: /Name/u }), 'Winter');
    await user.type(d.getByRole('textbox', { name: /Description/u }), 'Snow');
    await user.click(d.getByRole('radio', { name: 'Scarlet red' }));
    await user.click(d.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('Failed to create project')).toBeInTheDocument();
    expect(await d.findByRole('alert')).toHaveTextContent('The database is away');
    expect(d.getByRole('textbox', { name: /Name/u })).toHaveValue('Winter');
    await user.click(d.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(keys.length).toBeGreaterThan(2));
    expect(new Set(keys).size).toBe(1);
  });
});

describe('deleting one', () => {
  async function askToDelete(path: string, label: string) {
    const view = open(path);
    await view.user.click(await screen.findByRole('button', { name: label }));
    await view.user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    return view;
  }

  it('says what becomes of what is in it, and takes it from the list', async () => {
    keep(projectOf());
    const { user } = await askToDelete('/projects', 'More actions for Spring');
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete project' }));
    expect(dialog.getByText(/taken off its 2 conversations/u)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Project deleted successfully')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Spring' })).toBeNull());
  });

  it('says when it failed, and keeps it', async () => {
    keep(projectOf());
    server.use(http.delete(one, () => problem(500, 'internal', 'It broke')));
    const { user } = await askToDelete('/projects', 'More actions for Spring');
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Failed to delete project')).toBeInTheDocument();
    expect(screen.getByText('Spring')).toBeInTheDocument();
  });

  it('is for its owner and superusers', async () => {
    keep(projectOf({ abilities: blank('ProjectLabelAbilities') }));
    const { user } = open('/projects');
    await user.click(await screen.findByRole('button', { name: 'More actions for Spring' }));
    const entry = await screen.findByRole('menuitem', { name: /Delete/u });
    expect(entry).toHaveAttribute('aria-disabled', 'true');
    expect(entry).toHaveTextContent('Only the owner of the project and superusers can change it.');
  });
});

describe('the page of one', () => {
  function contents() {
    const asked: Record<string, string>[] = [];
    const answer =
      (...found: object[]) =>
      ({ request }: { request: Request }) => {
        asked.push(Object.fromEntries(new URL(request.url).searchParams));
        return page(found);
      };
    server.use(
      http.get(api('discourse/conversations'), answer(conversationOf({ id: 'c7', name: 'Sales of March' }))),
      http.get(api('memory/datasources'), answer(dataSourceOf({ id: 5, name: 'Orders' }))),
      http.get(api('discourse/blueprints'), answer()),
      http.get(api('discourse/scheduledtasks'), answer({ id: 't1', name: 'Monday report', nextRunAt: null })),
    );
    return asked;
  }

  it('shows what belongs to it', async () => {
    keep(projectOf());
    const asked = contents();
    await signInAs(personOf({ flags: { scheduledTaskView: true, uploadCredentials: false } }));
    open('/projects/3');
    expect(await screen.findByRole('heading', { level: 1, name: 'Spring' })).toBeVisible();
    expect(screen.getByText('The campaign of spring')).toBeVisible();
    expect(await screen.findByRole('link', { name: /Sales of March/u })).toHaveAttribute(
      'href',
      '/conversations/c7',
    );
    expect(screen.getByRole('link', { name: /Orders/u })).toHaveAttribute('href', '/datasource/5');
    expect(await screen.findByText('No blueprint is in this project.')).toBeVisible();
    expect(screen.getByRole('link', { name: /Monday report.*Not active/u })).toHaveAttribute(
      'href',
      '/tasks/t1',
    );
    expect(asked.filter((query) => query['project_label'] === '3')).toHaveLength(3);
    expect(asked.some((query) => query['filter'] === 'projectLabels:in:3')).toBe(true);
  });

  it('asks again for what belongs to it when one comes back', async () => {
    keep(projectOf());
    const asked = contents();
    const { unmount } = open('/projects/3');
    expect(await screen.findByRole('link', { name: /Sales of March/u })).toBeVisible();
    await waitFor(() => expect(asked).toHaveLength(3));
    unmount();
    open('/projects/3');
    expect(screen.getByRole('link', { name: /Sales of March/u })).toBeVisible();
    await waitFor(() => expect(asked).toHaveLength(6));
  });

  it('has no tasks for people without that area', async () => {
    keep(projectOf());
    contents();
    await signInAs(personOf({ flags: { scheduledTaskView: false, uploadCredentials: false } }));
    open('/projects/3');
    expect(await screen.findByRole('link', { name: /Sales of March/u })).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Scheduled tasks' })).toBeNull();
  });

  it('shows one section that failed, and asks for it again', async () => {
    keep(projectOf());
    contents();
    server.use(http.get(api('discourse/blueprints'), () => problem(500, 'internal', 'It broke')));
    const { user } = open('/projects/3');
    const failed = await screen.findByText('The blueprints could not be loaded');
    server.use(http.get(api('discourse/blueprints'), () => page([blueprintOf({ name: 'Weekly' })])));
    await user.click(within(failed).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: /Weekly/u })).toBeVisible();
  });

  it('shows more when there is more', async () => {
    keep(projectOf());
    contents();
    server.use(
      http.get(api('discourse/conversations'), ({ request }) =>
        new URL(request.url).searchParams.get('page') === '2'
          ? page([conversationOf({ id: 'c2', name: 'The second page' })])
          : page([conversationOf({ id: 'c1', name: 'The first page' })], '/next'),
      ),
    );
    const { user } = open('/projects/3');
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    expect(await screen.findByRole('link', { name: /The second page/u })).toBeVisible();
    expect(screen.getByRole('link', { name: /The first page/u })).toBeVisible();
  });

  it('is not found when there is no such project', async () => {
    keep(projectOf());
    open('/projects/77');
    expect(await screen.findByRole('heading', { name: 'Project not found' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'All projects' })).toHaveAttribute('href', '/projects');
  });

  it('shows that it loads', async () => {
    const { held, release } = hold();
    contents();
    server.use(
      http.get(list, async () => {
        await held;
        return page([projectOf()]);
      }),
    );
    open('/projects/3');
    expect(screen.getByLabelText('Loading')).toBeInTheDocument();
    release();
    expect(await screen.findByRole('heading', { level: 1, name: 'Spring' })).toBeVisible();
  });
});

describe('editing one', () => {
  it('saves from the version that was opened, says so, and shows it', async () => {
    const sent = keep(projectOf());
    server.use(
      ...['discourse/conversations', 'memory/datasources', 'discourse/blueprints'].map((path) =>
        http.get(api(path), () => page([])),
      ),
    );
    const { user, where } = open('/projects/3/edit');
    const name = await screen.findByRole('textbox', { name: /Name/u });
    expect(screen.getByRole('radio', { name: 'Teal blue' })).toBeChecked();
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
    await user.clear(name);
    await user.type(name, 'Summer');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Project label updated successfully')).toBeInTheDocument();
    await waitFor(() => expect(where()).toBe('/projects/3'));
    expect(await screen.findByRole('heading', { level: 1, name: 'Summer' })).toBeVisible();
    expect(sent).toEqual([
      { name: 'Summer', description: 'The campaign of spring', color: 'Teal blue', version: 4 },
    ]);
  });

  it('keeps a colour that is none of the six', async () => {
    keep(projectOf({ color: 'Purple grey' }));
    open('/projects/3/edit');
    expect(await screen.findByRole('radio', { name: 'Purple grey' })).toBeChecked();
    expect(screen.getAllByRole('radio')).toHaveLength(7);
  });

  it('stays with what the server says when somebody else was faster', async () => {
    keep(projectOf());
    server.use(http.put(one, () => problem(409, 'conflict', 'Somebody else has changed it')));
    const { user, where } = open('/projects/3/edit');
    await user.type(await screen.findByRole('textbox', { name: /Name/u }), '!');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Failed to update project')).toBeInTheDocument();
    expect(await screen.findByText('Somebody else has changed it')).toBeVisible();
    expect(where()).toBe('/projects/3/edit');
  });

  it('can only be read by others', async () => {
    keep(projectOf({ abilities: blank('ProjectLabelAbilities') }));
    open('/projects/3/edit');
    expect(await screen.findByRole('textbox', { name: /Name/u })).toHaveAttribute('readonly');
    expect(screen.getByText('Only the owner of the project and superusers can change it.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });
});
