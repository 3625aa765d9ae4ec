import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Conversation } from '@/lib/wire';
import { closeConversation } from '@/stores/conversation-session';
import { conversationsState, putConversation, resetConversations } from '@/stores/conversations-store';
import { ada, conversationOf } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, server } from '@/testing/server';
import { ConversationHeader } from './conversation-header';

function show(changes: Partial<Conversation> = {}) {
  const conversation = conversationOf(changes);
  putConversation(conversation);
  return renderAt('/conversations/c1', {
    '/conversations/c1': <ConversationHeader conversation={conversation} views={null} />,
  });
}

beforeEach(() => {
  closeConversation();
  resetConversations();
  server.use(http.get(api('discourse/projectlabels'), () => page([])));
});

describe('ConversationHeader', () => {
  it('shows the credits as the French write them, and says what they are', async () => {
    const { user } = show({ credits: 12345.678 });
    const credits = screen.getByText(/^12\s345,68 credits$/u);
    await user.hover(credits);
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Credits used by this conversation');
  });

  it('edits the name in place, at most 100 characters', async () => {
    const sent: unknown[] = [];
    server.use(
      http.patch(api('discourse/conversations/c1'), async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(conversationOf());
      }),
    );
    const { user } = show();
    await user.click(screen.getByRole('button', { name: 'Revenue by region' }));
    const name = screen.getByRole('textbox', { name: 'Conversation name' });
    await user.clear(name);
    // Counted as the server does: 100 of these have 200 UTF-16 units.
    await user.paste('😀'.repeat(101));
    expect(name).toHaveValue('😀'.repeat(100));
    await user.clear(name);
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a name');
    await user.type(name, 'Revenue of May{Enter}');
    await expect.poll(() => sent).toEqual([{ name: 'Revenue of May' }]);
  });

  it('marks a favorite, and leads to who has access', async () => {
    server.use(
      http.put(api('discourse/conversations/c1/favorite'), () => new HttpResponse(null, { status: 204 })),
      http.get(api('discourse/conversationpermissions'), () => page([])),
      http.get(api('user/shareable-entities'), () => page([])),
    );
    const { user } = show();
    const star = screen.getByRole('button', { name: 'Favorite' });
    expect(star).toHaveAttribute('aria-pressed', 'false');
    await user.click(star);
    await expect.poll(() => conversationsState.byId['c1']?.isFavorite).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Manage access' }));
    expect(await screen.findByRole('dialog', { name: 'Manage access' })).toBeVisible();
  });

  it('gives nobody else the right to change it', async () => {
    const grant = (id: number, name: string, permission: string) => ({
      actor: { type: 'user', id, name, picture: '' },
      permission,
    });
    server.use(
      http.get(api('discourse/conversationpermissions'), () =>
        page([grant(1, 'Ada Lindqvist', 'owner'), grant(2, 'Ben Ames', 'read')]),
      ),
      http.get(api('user/shareable-entities'), () => page([])),
    );
    const { user } = show();
    await user.click(screen.getByRole('button', { name: 'Manage access' }));
    await user.click(await screen.findByRole('combobox', { name: 'Permission of Ben Ames' }));
    expect(screen.getByRole('option', { name: 'Can view' })).not.toHaveAttribute('aria-disabled');
    expect(screen.getByRole('option', { name: 'Can edit' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('shows readers who has access, and nothing to change it with', async () => {
    const searched = vi.fn(() => page([]));
    const grant = (id: number, name: string, permission: string) => ({
      actor: { type: 'user', id, name, picture: '' },
      permission,
    });
    server.use(
      http.get(api('discourse/conversationpermissions'), () =>
        page([grant(1, 'Ada Lindqvist', 'owner'), grant(2, 'Ben Ames', 'read')]),
      ),
      http.get(api('user/shareable-entities'), searched),
    );
    const { abilities } = conversationOf();
    const { user } = show({ ownerStatus: 'shared', abilities: { ...abilities, manageAccess: false } });
    await user.click(screen.getByRole('button', { name: 'Manage access' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Manage access' }));
    expect(await dialog.findByText('owner')).toBeVisible();
    expect(dialog.getByText('Ben Ames')).toBeVisible();
    expect(dialog.getByText('Only the owner can change who sees this conversation.')).toBeVisible();
    for (const role of ['radio', 'combobox'] as const) expect(dialog.queryByRole(role)).toBeNull();
    expect(dialog.queryByRole('button', { name: /^(Remove|Save)/u })).toBeNull();
    expect(searched).not.toHaveBeenCalled();
  });

  it('shows three of those whom it is shared with once that is known, and asks for it only in the dialog', async () => {
    const asked = vi.fn();
    const grant = (id: number, name: string) => ({
      actor: { type: 'user', id, name, picture: '' },
      permission: id === 1 ? 'owner' : 'read',
    });
    const names = ['Ada Lindqvist', 'Ben Ames', 'Cleo Marsh', 'Dan Ito', 'Eve Sol'];
    server.use(
      http.get(api('discourse/conversationpermissions'), () => {
        asked();
        return page(names.map((name, index) => grant(index + 1, name)));
      }),
      http.get(api('user/shareable-entities'), () => page([])),
    );
    const { user } = show();
    const button = screen.getByRole('button', { name: 'Manage access' });
    expect(asked).not.toHaveBeenCalled();
    await user.click(button);
    await screen.findByText('Eve Sol');
    await user.keyboard('{Escape}{Escape}');
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(button).toHaveAccessibleName(
      'Manage access: Shared with Ben Ames, Cleo Marsh, Dan Ito, and Eve Sol',
    );
    await vi.waitFor(() => expect(button).toHaveTextContent(/^BACMDI\+1$/u));
    expect(button).toHaveFocus();
    expect(asked).toHaveBeenCalledOnce();
  });

  it('of somebody else says so, and its name cannot be edited', () => {
    const { abilities } = conversationOf();
    show({ ownerStatus: 'shared', owner: ada, abilities: { ...abilities, rename: false } });
    expect(screen.getByText('View only')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Revenue by region' })).toBeDisabled();
  });
});
