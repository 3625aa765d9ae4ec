import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import type { Blueprint } from '@/lib/wire';
import { resetBlueprints } from '@/stores/blueprints-store/blueprints';
import { ada, blueprintOf, conversationOf } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Component as BlueprintPage } from './blueprint-page';

const [step] = blueprintOf().steps;
const own = blueprintOf({
  id: 8,
  name: 'Weekly numbers',
  owner: ada,
  permission: 'owner',
  isLibrary: false,
  initialMessage: 'How is {{Region}} doing in {{Year}}?',
  projectLabels: [{ id: 4, name: 'Growth', color: 'Teal blue' }],
  useCaseCategories: [{ id: 3, name: 'Sales' }],
  abilities: { ...blueprintOf().abilities, edit: true, delete: true, manageAccess: true, archive: true },
  steps: [
    { ...step!, name: 'Load {{Region}}', detailedInstructions: 'Sum it up.', analyst: 99, memories: [2] },
    { ...step!, id: 2, name: 'Compare', qaInstructions: 'It adds up.', code: 'select 1', language: 'sql' },
  ],
});

const nothing = () => new HttpResponse(null, { status: 204 });

async function open(blueprint: Blueprint = own) {
  server.use(http.get(api(`discourse/blueprints/${blueprint.id}`), () => HttpResponse.json(blueprint)));
  const rendered = renderAt(`/blueprints/${blueprint.id}`, {
    '/blueprints/:blueprintId': <BlueprintPage />,
    '/blueprints/:blueprintId/edit': <p>The editor</p>,
    '/blueprints': <p>The list</p>,
    '/conversations/:conversationId': <p>The conversation</p>,
  });
  await screen.findByRole('heading', { level: 1, name: blueprint.name });
  return rendered;
}

/** Opens the menu and chooses an entry. */
async function choose({ user }: Awaited<ReturnType<typeof open>>, entry: string) {
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(screen.getByRole('menuitem', { name: entry }));
}

const inDialog = (role: 'dialog' | 'alertdialog', name: string) => within(screen.getByRole(role, { name }));

beforeEach(() => {
  resetBlueprints();
  vi.spyOn(notify, 'error').mockReturnValue();
  vi.spyOn(notify, 'success').mockReturnValue();
  server.use(
    http.get(api('memory/memories'), () => page([])),
    http.post(api('discourse/blueprints/initial-message'), () =>
      HttpResponse.json({ initialMessage: 'Please work through it.' }),
    ),
  );
});

describe('a blueprint', () => {
  it('says what it is for, what it asks, uses and does', async () => {
    await open();
    expect(screen.getByText(/Ada Lindqvist · updated/u)).toBeVisible();
    expect(screen.getByText('One region in one year.')).toBeVisible();
    const facts = within(screen.getByRole('complementary', { name: 'About this blueprint' }));
    expect(facts.getByText('North or South')).toBeVisible();
    expect(facts.getByText('Growth')).toBeVisible();
    expect(facts.getByText('Sales')).toBeVisible();
    expect(facts.getByRole('group', { name: 'Preview' }).textContent).toBe('How is Region doing in Year?');
    const steps = within(screen.getByRole('list', { name: 'Steps' })).getAllByRole('listitem');
    expect(steps[0]?.textContent).toContain('Load Region');
    expect(steps[0]?.textContent).toContain('Agent: An agent that is not available to you');
    expect(steps[0]?.textContent).toContain('Memory: A memory that is not available to you');
    expect(steps[0]?.textContent).toContain('Sum it up.');
    expect(steps[1]?.textContent).toContain('It adds up.');
    expect(steps[1]?.textContent).toContain('select 1');
  });

  it('of the library names no owner, and cannot be edited or deleted', async () => {
    const { user } = await open(blueprintOf());
    expect(screen.getByText(/^Library · updated/u)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'More actions' }));
    for (const name of [/^Edit/u, /^Delete/u]) {
      expect(screen.getByRole('menuitem', { name })).toHaveAttribute('aria-disabled', 'true');
    }
    expect(screen.queryByRole('menuitem', { name: 'Archive' })).toBeNull();
    expect(screen.queryByRole('menuitem', { name: 'Manage access' })).toBeNull();
  });

  it('of the library is archived by superusers', async () => {
    const mine = blueprintOf({ abilities: { ...blueprintOf().abilities, archive: true } });
    server.use(http.post(api('discourse/blueprints/7/archive'), nothing));
    const rendered = await open(mine);
    await choose(rendered, 'Archive');
    await rendered.user.click(
      inDialog('alertdialog', 'Archive blueprint').getByRole('button', { name: 'Archive' }),
    );
    await screen.findByText('The list');
  });

  it('says that it is gone, also of an address that is no number', async () => {
    server.use(http.get(api('discourse/blueprints/5'), () => problem(404, 'not-found', 'Not found.')));
    const pages = { '/blueprints/:blueprintId': <BlueprintPage /> };
    const gone = renderAt('/blueprints/5', pages);
    expect(await screen.findByRole('heading', { name: 'Blueprint not found' })).toBeVisible();
    gone.unmount();
    renderAt('/blueprints/x', pages);
    expect(screen.getByRole('heading', { name: 'Blueprint not found' })).toBeVisible();
  });

  it('offers another try when it could not be loaded', async () => {
    server.use(http.get(api('discourse/blueprints/8'), () => problem(500, 'I500', 'Broken.')));
    const { user } = renderAt('/blueprints/8', { '/blueprints/:blueprintId': <BlueprintPage /> });
    const retry = await screen.findByRole('button', { name: 'Try again' });
    server.use(http.get(api('discourse/blueprints/8'), () => HttpResponse.json(own)));
    await user.click(retry);
    expect(await screen.findByRole('heading', { level: 1, name: 'Weekly numbers' })).toBeVisible();
  });

  it('is started with its inputs', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post(api('discourse/blueprints/8/conversations'), async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ ...conversationOf({ id: 'c9' }), missingDataSources: 0 });
      }),
    );
    const { user, where } = await open();
    await user.click(screen.getByRole('button', { name: 'Start' }));
    await screen.findByRole('dialog');
    const dialog = inDialog('dialog', 'Weekly numbers');
    await user.type(dialog.getByRole('textbox', { name: 'Region' }), 'North');
    await user.type(dialog.getByRole('textbox', { name: 'Year' }), '2026');
    await user.click(dialog.getByRole('button', { name: 'Start' }));
    await screen.findByText('The conversation');
    expect(where()).toBe('/conversations/c9');
    expect(bodies).toEqual([{ inputs: { Region: 'North', Year: '2026' } }]);
  });

  it('that is archived is restored by its owner', async () => {
    const bodies: unknown[] = [];
    let isArchived = true;
    const now = () => ({ ...own, isArchived, abilities: { ...own.abilities, start: !isArchived } });
    server.use(
      http.post(api('discourse/blueprints/8/archive'), async ({ request }) => {
        bodies.push(await request.json());
        isArchived = false;
        return nothing();
      }),
    );
    const { user } = await open(now());
    server.use(http.get(api('discourse/blueprints/8'), () => HttpResponse.json(now())));
    expect(screen.getByRole('button', { name: 'Start' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Bring it back' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Start' })).toBeEnabled());
    expect(bodies).toEqual([{ isArchived: false }]);
  });
});

describe('the menu', () => {
  it('duplicates under a name, and goes to the copy', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post(api('discourse/blueprints/8/copy'), async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ ...own, id: 9, name: 'Copy of Weekly numbers' });
      }),
      http.get(api('discourse/blueprints/9'), () =>
        HttpResponse.json({ ...own, id: 9, name: 'Copy of Weekly numbers' }),
      ),
    );
    const rendered = await open();
    await choose(rendered, 'Duplicate');
    const dialog = inDialog('dialog', 'Duplicate blueprint');
    expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Copy of Weekly numbers');
    await rendered.user.click(dialog.getByRole('button', { name: 'Duplicate' }));
    await screen.findByRole('heading', { level: 1, name: 'Copy of Weekly numbers' });
    expect(rendered.where()).toBe('/blueprints/9');
    expect(bodies).toEqual([{ id: 8, name: 'Copy of Weekly numbers' }]);
  });

  it('deletes after it has asked, and goes to the list', async () => {
    server.use(http.delete(api('discourse/blueprints/8'), nothing));
    const rendered = await open();
    await choose(rendered, 'Delete');
    await rendered.user.click(
      inDialog('alertdialog', 'Delete blueprint').getByRole('button', { name: 'Delete' }),
    );
    await screen.findByText('The list');
  });

  it('stays when the server refuses, and says why', async () => {
    server.use(http.delete(api('discourse/blueprints/8'), () => problem(500, 'I500', 'Broken.')));
    const rendered = await open();
    await choose(rendered, 'Delete');
    await rendered.user.click(
      inDialog('alertdialog', 'Delete blueprint').getByRole('button', { name: 'Delete' }),
    );
    await waitFor(() =>
      expect(notify.error).toHaveBeenCalledExactlyOnceWith('Failed to delete blueprint: Broken.'),
    );
    expect(rendered.where()).toBe('/blueprints/8');
  });

  it('manages access; a failed save keeps the dialog, without a message', async () => {
    const ben = { type: 'user', id: 2, name: 'Ben Ames', picture: '' };
    const refuse = vi.fn(() => problem(500, 'I500', 'Broken.'));
    server.use(
      http.get(api('discourse/blueprints/8/actors'), () =>
        page([
          { actor: { ...ben, id: 1, name: ada.fullName }, permission: 'owner' },
          { actor: ben, permission: 'read' },
        ]),
      ),
      http.get(api('user/shareable-entities'), () => page([])),
      http.put(api('discourse/blueprints/8/actors'), refuse),
    );
    const rendered = await open();
    await choose(rendered, 'Manage access');
    const dialog = inDialog('dialog', 'Manage access');
    expect(await dialog.findByText('owner')).toBeVisible();
    // No other person can get the right to change it, and it is not shared with the organisation.
    expect(dialog.getByRole('radio', { name: 'Specify users' })).toBeChecked();
    expect(dialog.getByRole('radio', { name: /Share with organization/u })).toBeDisabled();
    await rendered.user.click(dialog.getByRole('combobox', { name: 'Permission of Ben Ames' }));
    expect(screen.getByRole('option', { name: 'Can edit' })).toHaveAttribute('aria-disabled', 'true');
    await rendered.user.keyboard('{Escape}');
    await rendered.user.click(dialog.getByRole('button', { name: 'Remove Ben Ames' }));
    await rendered.user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(refuse).toHaveBeenCalledTimes(2));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Save' })).toBeEnabled());
    expect(notify.error).not.toHaveBeenCalled();
    server.use(http.put(api('discourse/blueprints/8/actors'), () => page([])));
    await rendered.user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(notify.success).toHaveBeenCalledExactlyOnceWith('Blueprint permissions updated successfully');
  });

  it('shows others than its owner who has access, and nothing to change it with', async () => {
    const searched = vi.fn(() => page([]));
    const ben = { type: 'user', id: 2, name: 'Ben Ames', picture: '' };
    server.use(
      http.get(api('discourse/blueprints/8/actors'), () =>
        page([
          { actor: { ...ben, id: 1, name: ada.fullName }, permission: 'owner' },
          { actor: ben, permission: 'read' },
        ]),
      ),
      http.get(api('user/shareable-entities'), searched),
    );
    const rendered = await open({ ...own, abilities: { ...own.abilities, manageAccess: false } });
    await choose(rendered, 'Manage access');
    const dialog = inDialog('dialog', 'Manage access');
    expect(await dialog.findByText('owner')).toBeVisible();
    expect(dialog.getByText('Ben Ames')).toBeVisible();
    expect(dialog.getByText('Only the owner can change who sees this blueprint.')).toBeVisible();
    for (const role of ['radio', 'combobox'] as const) expect(dialog.queryByRole(role)).toBeNull();
    expect(dialog.queryByRole('button', { name: /^(Remove|Save)/u })).toBeNull();
    expect(searched).not.toHaveBeenCalled();
  });

  it('shows whom it is shared with, and leads to who has access', async () => {
    const actor = (id: number, name: string) => ({ type: 'user' as const, id, name, picture: '' });
    const permissions = [
      { actor: actor(1, ada.fullName), permission: 'owner' as const },
      { actor: actor(2, 'Ben Ames'), permission: 'read' as const },
    ];
    server.use(
      http.get(api('discourse/blueprints/8/actors'), () => page(permissions)),
      http.get(api('user/shareable-entities'), () => page([])),
      http.put(api('discourse/blueprints/8/actors'), () => page(permissions.slice(0, 1))),
    );
    const { user } = await open({ ...own, permissions });
    const stack = await screen.findByRole('button', { name: 'Shared with Ben Ames' });
    await waitFor(() => expect(stack).toHaveTextContent(/^BA$/u));
    await user.click(stack);
    const dialog = inDialog('dialog', 'Manage access');
    await user.click(await dialog.findByRole('button', { name: 'Remove Ben Ames' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByRole('button', { name: /^Shared with/u })).toBeNull();
  });
});
