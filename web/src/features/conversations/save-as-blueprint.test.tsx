import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import type { Conversation } from '@/lib/wire';
import { closeConversation, openConversation } from '@/stores/conversation-session';
import { blueprintOf, conversationOf, messageOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { ConversationHeader } from './conversation-header';

const asked = messageOf({ id: 'q', role: 'user', text: 'Revenue by region?' });

/** Opens a conversation, and shows its header. */
async function open(changes: Partial<Conversation> = { messageSet: [asked] }) {
  const conversation = conversationOf(changes);
  server.use(http.get(api('discourse/conversations/c1'), () => HttpResponse.json(conversation)));
  await openConversation('c1');
  return renderAt('/conversations/c1', {
    '/conversations/:conversationId': <ConversationHeader conversation={conversation} views={null} />,
    '/blueprints/:blueprintId': <p>The blueprint</p>,
  });
}

const button = () => screen.findByRole('button', { name: 'Save as Blueprint' });
const waiting = 'Generating blueprint from conversation...';

beforeEach(() => {
  closeConversation();
  vi.spyOn(notify, 'error').mockReturnValue();
  vi.spyOn(notify, 'success').mockReturnValue();
  server.use(http.get(api('discourse/projectlabels'), () => page([])));
});

describe('Save as Blueprint', () => {
  it('writes a blueprint, covers the window meanwhile, and goes there', async () => {
    const { held, release } = hold();
    const bodies: unknown[] = [];
    server.use(
      http.post(api('discourse/blueprints'), async ({ request }) => {
        bodies.push(await request.json());
        await held;
        return HttpResponse.json(blueprintOf({ id: 9 }));
      }),
    );
    const { user, where } = await open();
    await user.click(await button());
    expect(await screen.findByRole('dialog', { name: waiting })).toBeVisible();
    release();
    await screen.findByText('The blueprint');
    expect(where()).toBe('/blueprints/9');
    expect(bodies).toEqual([{ fromConversation: 'c1' }]);
    expect(notify.success).toHaveBeenCalledExactlyOnceWith('Blueprint created successfully');
  });

  it('can be cancelled, and goes nowhere then', async () => {
    const { held, release } = hold();
    const called = vi.fn();
    server.use(
      http.post(api('discourse/blueprints'), async () => {
        called();
        await held;
        return HttpResponse.json(blueprintOf({ id: 9 }));
      }),
    );
    const { user, where } = await open();
    await user.click(await button());
    await waitFor(() => expect(called).toHaveBeenCalled());
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    release();
    expect(where()).toBe('/conversations/c1');
    expect(notify.success).not.toHaveBeenCalled();
    expect(notify.error).not.toHaveBeenCalled();
  });

  it('stays when it failed, and says why', async () => {
    server.use(
      http.post(api('discourse/blueprints'), () => problem(422, 'invalid', 'Nothing was asked here yet.')),
    );
    const { user, where } = await open();
    await user.click(await button());
    await waitFor(() => expect(notify.error).toHaveBeenCalledExactlyOnceWith('Nothing was asked here yet.'));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(where()).toBe('/conversations/c1');
  });

  it('is disabled while there are no messages, in the menu too', async () => {
    const { user } = await open({ messageSet: [] });
    expect(await button()).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'More actions' }));
    const entry = screen.getByRole('menuitem', { name: /Save as Blueprint/u });
    expect(entry).toHaveAttribute('aria-disabled', 'true');
    expect(entry).toHaveTextContent('There is no message to write it from.');
  });

  it('is in the menu, too', async () => {
    const made = vi.fn(() => HttpResponse.json(blueprintOf({ id: 9 })));
    server.use(http.post(api('discourse/blueprints'), made));
    const { user, where } = await open();
    await user.click(screen.getByRole('button', { name: 'More actions' }));
    await user.click(screen.getByRole('menuitem', { name: 'Save as Blueprint' }));
    await screen.findByText('The blueprint');
    expect(where()).toBe('/blueprints/9');
  });

  it('gives its place to Unarchive when the conversation is archived', async () => {
    const { user } = await open({ messageSet: [asked], status: 'archived' });
    expect(await screen.findByRole('button', { name: 'Unarchive this conversation' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Save as Blueprint' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'More actions' }));
    expect(screen.queryByRole('menuitem', { name: /Save as Blueprint/u })).toBeNull();
  });
});
