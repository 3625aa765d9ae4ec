import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Link } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import type { Conversation } from '@/lib/wire';
import { conversationsState, putConversation, resetConversations } from '@/stores/conversations-store';
import { conversationOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { ConversationMenu } from './conversation-menu';

/** Opens the menu of a conversation in the list, on another page or on its own. */
async function open(changes: Partial<Conversation> = {}, at = '/conversations/c1', inList = false) {
  const conversation = conversationOf({ id: 'c1', name: 'Revenue', ...changes });
  putConversation(conversation);
  const menu = (
    <ConversationMenu
      conversation={conversation}
      inList={inList}
      saving={{ canSave: true, isSaving: false, save: () => undefined, cancel: () => undefined }}
    />
  );
  const rendered = renderAt(at, {
    '/conversations/c1': (
      <>
        <Link to="/conversations/c2">The next one</Link>
        {menu}
      </>
    ),
    // If another conversation is open, only the list has a menu for this one.
    '/conversations/c2': inList ? menu : <p>The next one</p>,
    '/conversations/c9': <p>The copy</p>,
    '/conversations': <p>The list</p>,
  });
  await rendered.user.click(screen.getByRole('button', { name: /^More actions/u }));
  return rendered;
}

const entry = (name: string) => screen.getByRole('menuitem', { name });

beforeEach(() => {
  resetConversations();
  vi.spyOn(notify, 'error').mockReturnValue();
  vi.spyOn(notify, 'success').mockReturnValue();
});

describe('renaming', () => {
  it('sends the new name, and the list has it', async () => {
    const sent: unknown[] = [];
    server.use(
      http.patch(api('discourse/conversations/c1'), async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(conversationOf());
      }),
    );
    const { user } = await open();
    await user.click(entry('Rename'));
    const dialog = screen.getByRole('dialog', { name: 'Rename conversation' });
    const name = within(dialog).getByRole('textbox', { name: 'Name' });
    expect(name).toHaveValue('Revenue');
    await user.clear(name);
    await user.type(name, 'Churn{Enter}');
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(sent).toEqual([{ name: 'Churn' }]);
    expect(conversationsState.byId['c1']?.name).toBe('Churn');
  });

  it('keeps the dialog and the old name when the server refuses', async () => {
    server.use(http.patch(api('discourse/conversations/c1'), () => problem(500, 'internal', 'It broke')));
    const { user } = await open();
    await user.click(entry('Rename'));
    await user.type(screen.getByRole('textbox', { name: 'Name' }), ' by shop{Enter}');
    await waitFor(() => expect(notify.error).toHaveBeenCalledExactlyOnceWith('It broke'));
    expect(screen.getByRole('dialog', { name: 'Rename conversation' })).toBeVisible();
    expect(conversationsState.byId['c1']?.name).toBe('Revenue');
  });

  it('is for the owner, and so are projects and deleting', async () => {
    const { abilities } = conversationOf();
    await open({ abilities: { ...abilities, rename: false, addToProject: false, delete: false } });
    expect(screen.queryByRole('menuitem', { name: 'Rename' })).toBeNull();
    expect(screen.queryByRole('menuitem', { name: 'Add to project' })).toBeNull();
    expect(screen.getByRole('menuitem', { name: /Delete/u })).toHaveTextContent(
      'Only the owner can delete it.',
    );
  });
});

describe('duplicating', () => {
  function copies() {
    const keys: (string | null)[] = [];
    const named: unknown[] = [];
    server.use(
      http.post(api('discourse/conversations/c1/copy'), ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        // Each call is tried twice before it fails.
        if (keys.length < 3) return problem(500, 'internal', 'It broke');
        return HttpResponse.json(conversationOf({ id: 'c9', name: 'Copy of Revenue' }));
      }),
      http.patch(api('discourse/conversations/c9'), async ({ request }) => {
        named.push(await request.json());
        return HttpResponse.json(conversationOf());
      }),
    );
    return { keys, named };
  }

  it('asks for a name, tries again with the same key, and goes to the copy', async () => {
    const { keys, named } = copies();
    const { user, where } = await open();
    await user.click(entry('Duplicate'));
    const dialog = screen.getByRole('dialog', { name: 'Duplicate conversation' });
    const name = within(dialog).getByRole('textbox', { name: 'Name' });
    expect(name).toHaveValue('Copy of Revenue');
    await user.clear(name);
    await user.type(name, 'Revenue of May');
    await user.click(within(dialog).getByRole('button', { name: 'Duplicate' }));
    await waitFor(() =>
      expect(notify.error).toHaveBeenCalledExactlyOnceWith('Failed to duplicate conversation: It broke'),
    );
    await user.click(within(dialog).getByRole('button', { name: 'Duplicate' }));
    await waitFor(() => expect(where()).toBe('/conversations/c9'));
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(3);
    expect(named).toEqual([{ name: 'Revenue of May' }]);
    expect(notify.success).toHaveBeenCalledExactlyOnceWith('Conversation duplicated successfully');
    expect(conversationsState.byId['c9']?.name).toBe('Revenue of May');
  });
});

describe('in the list', () => {
  it('offers what the header has buttons for, and says whose menu it is', async () => {
    await open({}, '/conversations/c1', true);
    expect(entry('Add to favorites')).toBeVisible();
    expect(entry('Manage access')).toBeVisible();
    expect(
      screen.getByRole('button', { name: 'More actions for Revenue', hidden: true }),
    ).toBeInTheDocument();
  });

  it('restores what is archived', async () => {
    const sent: unknown[] = [];
    server.use(
      http.patch(api('user/me/conversations/c1/status'), async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({});
      }),
    );
    const { user } = await open({ status: 'archived' }, '/conversations/c1', true);
    expect(screen.queryByRole('menuitem', { name: 'Archive' })).toBeNull();
    await user.click(entry('Unarchive'));
    await waitFor(() =>
      expect(notify.success).toHaveBeenCalledExactlyOnceWith('Conversation unarchived successfully'),
    );
    expect(sent).toEqual([{ status: 'active' }]);
  });
});

describe('deleting', () => {
  const removed = () =>
    server.use(http.delete(api('discourse/conversations/c1'), () => new HttpResponse(null, { status: 204 })));

  async function remove(at: string, inList = true) {
    const rendered = await open({}, at, inList);
    await rendered.user.click(entry('Delete'));
    await rendered.user.click(screen.getByRole('button', { name: 'Delete' }));
    return rendered;
  }

  it('leaves the page of the one that has gone', async () => {
    removed();
    const { where } = await remove('/conversations/c1?filter=user');
    await waitFor(() => expect(where()).toBe('/conversations?filter=user'));
  });

  it('of another one leaves somebody where they are', async () => {
    removed();
    const { where } = await remove('/conversations/c2');
    await waitFor(() =>
      expect(notify.success).toHaveBeenCalledExactlyOnceWith('Conversation deleted successfully'),
    );
    expect(where()).toBe('/conversations/c2');
  });

  it('leaves somebody where they went while it was deleted', async () => {
    const { held, release } = hold();
    const call = vi.fn(async () => {
      await held;
      return new HttpResponse(null, { status: 204 });
    });
    server.use(http.delete(api('discourse/conversations/c1'), call));
    const { where } = await remove('/conversations/c1', false);
    await expect.poll(() => call.mock.calls).toHaveLength(1);
    // The dialog stays open until it is done; the browser's Back button can leave it.
    fireEvent.click(screen.getByRole('link', { name: 'The next one', hidden: true }));
    await screen.findByText('The next one');
    release();
    await waitFor(() => expect(notify.success).toHaveBeenCalledOnce());
    expect(where()).toBe('/conversations/c2');
  });
});
