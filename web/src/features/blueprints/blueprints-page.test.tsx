import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { resetBlueprints } from '@/stores/blueprints-store/blueprints';
import { conversationsState, resetConversations } from '@/stores/conversations-store';
import { projectLabels } from '@/stores/project-labels-store';
import { notify } from '@/lib/notify';
import { blueprintOf, conversationOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Component as BlueprintsPage } from './blueprints-page';
import { Component as LibraryPage } from './library-page';

const own = blueprintOf({
  id: 8,
  name: 'Weekly numbers',
  isLibrary: false,
  owner: { id: 1, uuid: 'u', fullName: 'Ada Lindqvist' },
  permission: 'owner',
  inputs: [],
  abilities: { ...blueprintOf().abilities, edit: true, archive: true, delete: true, manageAccess: true },
});
const routes = {
  '/blueprints': <BlueprintsPage />,
  '/blueprint/library': <LibraryPage />,
  '/conversations/:id': 'the conversation',
};
const three = ['Region', 'Year', 'Channel'].map((name) => ({ name, hint: '' }));

beforeEach(() => {
  resetBlueprints();
  resetConversations();
  projectLabels.reset();
  server.use(
    http.get(api('discourse/projectlabels'), () => page([])),
    http.get(api('discourse/blueprints'), ({ request }) => {
      const { searchParams } = new URL(request.url);
      if (searchParams.get('scope') === 'owned') return page([own]);
      if (searchParams.get('scope') === 'favorite') return page([]);
      if (searchParams.get('library_scope') === 'library') return page([blueprintOf()]);
      return page([own, blueprintOf({ inputs: three })]);
    }),
  );
});

describe('BlueprintsPage', () => {
  it('ShowsTwoInputsAndThreeSteps, and howManyMoreThereAre', async () => {
    renderAt('/blueprints', routes);
    const card = within(await screen.findByRole('article', { name: 'Region deep dive' }));
    const rows = (name: string) =>
      within(card.getByRole('list', { name }))
        .getAllByRole('listitem')
        .map((item) => item.textContent);
    expect(rows('Inputs')).toEqual(['Region', 'Year']);
    expect(rows('Steps')).toEqual(['1Region at a glance', '2Products', '3Channels']);
    expect(card.getByText('+1 input')).toBeVisible();
    expect(card.getByText('+1 step')).toBeVisible();
    expect(card.getByText('Library')).toBeVisible();
    expect(screen.getByRole('img', { name: 'Owner: Ada Lindqvist' })).toBeVisible();
  });

  it('NarrowsToASegment, and saysWhenItIsEmpty', async () => {
    const { user } = renderAt('/blueprints', routes);
    await screen.findByRole('article', { name: 'Region deep dive' });
    await user.click(screen.getByRole('radio', { name: 'My blueprints' }));
    await screen.findByRole('article', { name: 'Weekly numbers' });
    expect(screen.queryByRole('article', { name: 'Region deep dive' })).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Favorite' }));
    expect(await screen.findByText('No blueprints')).toBeVisible();
  });

  it('ShowsRows, and marksAFavorite', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.put(api('discourse/blueprints/8/favorite'), async ({ request }) => {
        bodies.push(await request.json());
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = renderAt('/blueprints', routes);
    await screen.findByRole('article', { name: 'Weekly numbers' });
    await user.click(screen.getByRole('radio', { name: 'List' }));
    expect(screen.getAllByRole('row')).toHaveLength(3);
    const star = screen.getByRole('button', { name: 'Favorite Weekly numbers' });
    await user.click(star);
    expect(star).toHaveAttribute('aria-pressed', 'true');
    expect(bodies).toEqual([{ isFavorite: true }]);
  });

  it('narrows by project and words, counts what it found, and offers it', async () => {
    const asked: Record<string, string>[] = [];
    server.use(
      http.get(api('discourse/projectlabels'), () => page([{ id: 3, name: 'Spring', color: 'Teal blue' }])),
      http.get(api('discourse/blueprints'), ({ request }) => {
        const query = Object.fromEntries(new URL(request.url).searchParams);
        asked.push(query);
        return page(query['search'] === undefined ? [own, blueprintOf()] : [blueprintOf()]);
      }),
    );
    const { user, where } = renderAt('/blueprints', routes);
    await screen.findByRole('article', { name: 'Weekly numbers' });
    expect(screen.getByText('2 blueprints')).toBeVisible();
    await user.type(screen.getByRole('combobox', { name: 'Search blueprints' }), 'deep');
    expect(await screen.findByText('Found: 1')).toBeVisible();
    expect(screen.getByRole('option', { name: /Region deep dive/u })).toBeVisible();
    expect(asked.at(-1)).toMatchObject({ search: 'deep' });
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('combobox', { name: 'Project' }));
    await user.click(screen.getByRole('option', { name: 'Spring' }));
    await expect.poll(() => asked.at(-1)).toMatchObject({ project_label: '3' });
    expect(where()).toContain('project=3');
  });

  it('says what was asked when nothing is found, and goes back to everything', async () => {
    server.use(
      http.get(api('discourse/blueprints'), ({ request }) =>
        page(new URL(request.url).searchParams.has('search') ? [] : [own]),
      ),
    );
    const { user } = renderAt('/blueprints?search=gold', routes);
    expect(await screen.findByText('No results found. Change search request and try again')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear search and filters' }));
    expect(await screen.findByRole('article', { name: 'Weekly numbers' })).toBeVisible();
  });

  it('begins with the card that makes one', async () => {
    renderAt('/blueprints', routes);
    await screen.findByRole('article', { name: 'Weekly numbers' });
    const [first] = within(screen.getByRole('list', { name: 'Blueprints' })).getAllByRole('listitem');
    expect(within(first!).getByRole('link', { name: 'Add blueprint' })).toHaveAttribute(
      'href',
      '/blueprints/new',
    );
  });

  it('has a menu for each, and stays when one is deleted', async () => {
    server.use(http.delete(api('discourse/blueprints/8'), () => new HttpResponse(null, { status: 204 })));
    const { user, where } = renderAt('/blueprints', routes);
    await user.click(await screen.findByRole('button', { name: 'More actions for Weekly numbers' }));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent.trim())).toEqual([
      'Edit',
      'Duplicate',
      'Manage access',
      'Open',
      'Archive',
      'Delete',
    ]);
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Weekly numbers' })).toBeNull());
    expect(where()).toBe('/blueprints');
  });

  it('says that they could not be loaded, and tries again', async () => {
    server.use(http.get(api('discourse/blueprints'), () => problem(500, 'internal', 'no')));
    const { user } = renderAt('/blueprints', routes);
    expect(await screen.findByText('The blueprints could not be loaded')).toBeVisible();
    server.use(http.get(api('discourse/blueprints'), () => page([own])));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('article', { name: 'Weekly numbers' })).toBeVisible();
  });

  it('AsksForTheInputs, saysWhatIsWrong, and goesToTheConversation', async () => {
    const bodies: unknown[] = [];
    const fields = [{ field: 'inputs.Year', message: 'Year is not a year.' }];
    server.use(
      http.post(api('discourse/blueprints/7/conversations'), async ({ request }) => {
        const body = (await request.json()) as { inputs: Record<string, string> };
        bodies.push(body);
        if (body.inputs['Year'] === 'x') return problem(422, 'invalid', 'Year is not a year.', fields);
        return HttpResponse.json({ ...conversationOf({ id: 'c9' }), missingDataSources: 0 });
      }),
    );
    const { user, where } = renderAt('/blueprints', routes);
    await user.click(await screen.findByRole('button', { name: 'Region deep dive' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Region at a glance')).toBeVisible();
    await user.type(dialog.getByRole('textbox', { name: 'Region' }), 'North');
    expect(dialog.getByText('North at a glance')).toBeVisible();
    await user.type(dialog.getByRole('textbox', { name: 'Channel' }), 'Web');
    await user.click(dialog.getByRole('button', { name: 'Start' }));
    expect(await dialog.findByText('Please enter Year.')).toBeVisible();
    expect(bodies).toEqual([]);
    await user.type(dialog.getByRole('textbox', { name: 'Year' }), 'x');
    await user.click(dialog.getByRole('button', { name: 'Start' }));
    // The client asks once more before it gives up.
    expect(await dialog.findByText('Year is not a year.')).toBeVisible();
    await user.clear(dialog.getByRole('textbox', { name: 'Year' }));
    await user.type(dialog.getByRole('textbox', { name: 'Year' }), '2025');
    await user.click(dialog.getByRole('button', { name: 'Start' }));
    await screen.findByText('the conversation');
    expect(where()).toBe('/conversations/c9');
    expect(bodies.at(-1)).toEqual({ inputs: { Region: 'North', Channel: 'Web', Year: '2025' } });
    expect(conversationsState.byId['c9']?.name).toBe('Revenue by region');
  });

  it('TakesNobodyToAConversationWhoHasCancelledIt', async () => {
    const { held: made, release: make } = hold();
    const start = vi.fn(async () => {
      await made;
      return HttpResponse.json({ ...conversationOf({ id: 'c9' }), missingDataSources: 1 });
    });
    const told = vi.spyOn(notify, 'info').mockReturnValue();
    server.use(http.post(api('discourse/blueprints/7/conversations'), start));
    const { user, where } = renderAt('/blueprints', routes);
    await user.click(await screen.findByRole('button', { name: 'Region deep dive' }));
    await screen.findByRole('dialog');
    for (const name of ['Region', 'Channel', 'Year'])
      await user.type(screen.getByRole('textbox', { name }), '2025');
    await user.click(screen.getByRole('button', { name: 'Start' }));
    await expect.poll(() => start.mock.calls).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    make();
    await expect.poll(() => told.mock.calls).toHaveLength(1);
    expect(where()).toBe('/blueprints');
  });
});

describe('LibraryPage', () => {
  it('NamesNoOwner, and offersTheCategories', async () => {
    server.use(
      http.get(api('discourse/blueprints/use-case-categories'), () => page([{ id: 3, name: 'Sales' }])),
    );
    const { user } = renderAt('/blueprint/library', routes);
    await screen.findByRole('article', { name: 'Region deep dive' });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Library blueprints');
    expect(screen.queryByText('Library')).toBeNull();
    await user.click(screen.getByRole('combobox', { name: 'Category' }));
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['All', 'Sales']);
    expect(screen.queryByRole('link', { name: 'Add blueprint' })).toBeNull();
    expect(screen.queryByRole('img', { name: /Owner/u })).toBeNull();
  });

  it('narrows to a category, and says so when it is empty', async () => {
    server.use(
      http.get(api('discourse/blueprints/use-case-categories'), () => page([{ id: 3, name: 'Sales' }])),
      http.get(api('discourse/blueprints'), ({ request }) =>
        page(new URL(request.url).searchParams.has('use_case_category') ? [] : [blueprintOf()]),
      ),
    );
    const { user, where } = renderAt('/blueprint/library?category=3', routes);
    expect(await screen.findByText('Asked for: in Sales')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear search and filters' }));
    expect(await screen.findByRole('article', { name: 'Region deep dive' })).toBeVisible();
    expect(where()).toBe('/blueprint/library');
  });
});
