import { screen } from '@testing-library/react';
import { Link } from 'react-router';
import { expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { conversationOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, server } from '@/testing/server';
import { ConversationMenu } from './conversation-menu';

it('leaves somebody where they went while it was deleted', async () => {
  const { held, release } = hold();
  const remove = vi.fn(async () => {
    await held;
    return new HttpResponse(null, { status: 204 });
  });
  const told = vi.spyOn(notify, 'success').mockReturnValue();
  server.use(http.delete(api('discourse/conversations/c1'), remove));
  const { user, where } = renderAt('/conversations/c1', {
    '/conversations/c1': (
      <>
        <Link to="/conversations/c2">The next one</Link>
        <ConversationMenu
          conversation={conversationOf({ id: 'c1' })}
          narrow={false}
          saving={{ canSave: true, isSaving: false, save: () => undefined, cancel: () => undefined }}
          onRename={() => undefined}
        />
      </>
    ),
    '/conversations/c2': <p>The next one</p>,
    '/conversations': <p>The list</p>,
  });
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await expect.poll(() => remove.mock.calls).toHaveLength(1);
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('link', { name: 'The next one' }));
  release();
  await expect.poll(() => told.mock.calls).toHaveLength(1);
  expect(where()).toBe('/conversations/c2');
});
