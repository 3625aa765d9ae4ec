import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { resetBlueprints } from '@/stores/blueprints-store/blueprints';
import { conversationsState, resetConversations } from '@/stores/conversations-store';
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
  inputs: [],
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
  server.use(
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
    expect(rows('Steps')).toEqual(['1[Region] at a glance', '2Products', '3Channels']);
    expect(card.getByText('+1 input')).toBeVisible();
    expect(card.getByText('+1 step')).toBeVisible();
    expect(card.getByText('Library')).toBeVisible();
    expect(screen.getByText('Ada Lindqvist')).toBeVisible();
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
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('Region'), 'North');
    await user.type(dialog.getByLabelText('Channel'), 'Web');
    await user.click(dialog.getByRole('button', { name: 'Start' }));
    expect(dialog.getByText('Please enter Year.')).toBeVisible();
    expect(bodies).toEqual([]);
    await user.type(dialog.getByLabelText('Year'), 'x');
    await user.click(dialog.getByRole('button', { name: 'Start' }));
    // The client asks once more before it gives up.
    expect(await dialog.findByText('Year is not a year.')).toBeVisible();
    await user.clear(dialog.getByLabelText('Year'));
    await user.type(dialog.getByLabelText('Year'), '2025');
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
    for (const name of ['Region', 'Channel', 'Year']) await user.type(screen.getByLabelText(name), '2025');
    await user.click(screen.getByRole('button', { name: 'Start' }));
    await expect.poll(() => start.mock.calls).toHaveLength(1);
    await user.keyboard('{Escape}');
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
  });
});
