import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Grant, Grantee } from '@/lib/wire';
import { renderPart } from '@/testing/render';
import { api, http, page, problem, server } from '@/testing/server';
import { SourceAccess } from './source-access';

const person = (id: number): Grantee => ({
  id,
  type: 'user',
  name: `Person ${String(id).padStart(4, '0')}`,
  picture: '',
});
const team: Grantee = { id: 1, type: 'team', name: 'Night shift', picture: '' };
const owner: Grant = {
  actor: { id: 2000, type: 'user', name: 'Ada', picture: '' },
  permission: 'owner',
};

const asked = vi.fn<(search: string | null) => void>();
const saved = vi.fn<(body: unknown) => void>();

/** An organisation of a thousand people: the server sends a few, and the results of a search. */
function thousand(grants: readonly Grant[] = [owner]): void {
  const everybody = Array.from({ length: 1000 }, (_, i) => person(i + 1));
  server.use(
    http.get(api('memory/datasources/3/actors'), () => page(grants)),
    http.get(api('user/shareable-entities'), ({ request }) => {
      const search = new URL(request.url).searchParams.get('search');
      asked(search);
      const found = [...everybody, team].filter(({ name }) => name.includes(search ?? ''));
      return page(found.slice(0, 5), found.length > 5 ? 'more' : null);
    }),
    http.put(api('memory/datasources/3/actors'), async ({ request }) => {
      saved(await request.json());
      return page([]);
    }),
  );
}

function show(editable = true) {
  const onClose = vi.fn();
  return { onClose, ...renderPart(<SourceAccess sourceId={3} editable={editable} onClose={onClose} />) };
}

const field = () => screen.findByRole('combobox', { name: 'Add a person or a team' });
const rows = () =>
  within(screen.getByRole('list', { name: 'People and teams with access' }))
    .getAllByRole('listitem')
    .map((row) => row.textContent);

beforeEach(() => {
  asked.mockClear();
  saved.mockClear();
});

describe('SourceAccess', () => {
  it('Finds anybody of a thousand by keys alone, and saves them', async () => {
    thousand();
    const { user, onClose } = show();
    await user.click(await field());
    expect(await screen.findByText('There are more. Type a part of the name to find them.')).toBeVisible();
    await user.keyboard('Person 0997');
    const option = await screen.findByRole('option', { name: /Person 0997/ });
    expect(asked).toHaveBeenLastCalledWith('Person 0997');
    await vi.waitFor(() => expect(option).toHaveAttribute('aria-selected', 'true'));
    expect(await field()).toHaveAttribute('aria-activedescendant', option.id);
    await user.keyboard('{Enter}');
    expect(rows()).toHaveLength(2);
    // The field is ready for the next person, with the arrow keys.
    await user.keyboard('Night');
    await screen.findByRole('option', { name: /Night shift/ });
    await user.keyboard('{ArrowDown}{Enter}');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(saved).toHaveBeenCalledWith({
      users: [{ id: 997, permission: 'read' }],
      teams: [{ id: 1, permission: 'read' }],
      organizations: [],
    });
  });

  it('ClosesTheListBeforeTheDialog', async () => {
    thousand();
    const { user, onClose } = show();
    await user.click(await field());
    await screen.findByRole('option', { name: 'Person 0001' });
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('option')).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('ShowsManyWithAccessAPartAtATime, and finds them by the same words', async () => {
    thousand([
      owner,
      ...Array.from({ length: 60 }, (_, i) => ({
        ...owner,
        actor: person(i + 1),
        permission: 'write' as const,
      })),
    ]);
    const { user } = show();
    await field();
    expect(rows()).toHaveLength(50);
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect(rows()).toHaveLength(61);
    await user.type(await field(), 'Person 0060');
    expect(rows()).toHaveLength(1);
    // People with access are not offered again: adding them would replace the right that they have.
    expect(await screen.findByText('Nobody else found')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Remove Person 0060' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await vi.waitFor(() =>
      expect(saved).toHaveBeenCalledWith({
        users: [{ id: 60, permission: 'remove' }],
        teams: [],
        organizations: [],
      }),
    );
  });

  it('lets others change a connector, and shares with those who are named', async () => {
    thousand([owner, { ...owner, actor: person(7), permission: 'read' }]);
    const { user } = show();
    await field();
    expect(screen.getByRole('radio', { name: 'Specify users' })).toBeChecked();
    expect(screen.getByRole('radio', { name: /Share with organization/u })).toBeDisabled();
    await user.click(screen.getByRole('combobox', { name: 'Permission of Person 0007' }));
    await user.click(screen.getByRole('option', { name: 'Can edit' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await vi.waitFor(() =>
      expect(saved).toHaveBeenCalledWith({
        users: [{ id: 7, permission: 'write' }],
        teams: [],
        organizations: [],
      }),
    );
  });

  it('SaysThatTheSearchFailed', async () => {
    thousand();
    server.use(http.get(api('user/shareable-entities'), () => problem(500, 'I500', 'no')));
    const { user } = show();
    await user.click(await field());
    expect(await screen.findByText(/could not be searched/)).toBeVisible();
  });

  it('AsksForNobodyWhereNothingCanBeChanged', async () => {
    thousand();
    show(false);
    await screen.findByRole('list', { name: 'People and teams with access' });
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(screen.queryByRole('radio')).toBeNull();
    expect(asked).not.toHaveBeenCalled();
  });
});
