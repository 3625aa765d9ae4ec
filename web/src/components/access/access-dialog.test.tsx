import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import type { Grant } from '@/lib/wire';
import { AccessDialog } from './access-dialog';

const actor = (id: number, name: string) => ({ type: 'user' as const, id, name, picture: '' });

function open() {
  const grants: Grant[] = [
    { actor: actor(1, 'Ada Lindqvist'), permission: 'owner' },
    { actor: actor(2, 'Ben Ames'), permission: 'read' },
  ];
  const onClose = vi.fn();
  const rendered = renderPart(
    <AccessDialog
      text="Who can see it."
      editable
      canWrite={false}
      status="fetched"
      grants={grants}
      candidates={{ status: 'fetched', found: [actor(3, 'Cleo Marsh')], more: false }}
      words=""
      onWords={vi.fn()}
      saving={false}
      onRetry={vi.fn()}
      onSave={vi.fn()}
      onClose={onClose}
    />,
  );
  return { ...rendered, onClose };
}

const question = () => screen.findByRole('alertdialog', { name: 'Discard your changes?' });

describe('AccessDialog', () => {
  it('closes with Escape when nothing was changed', async () => {
    const { user, onClose } = open();
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('asks before Escape loses who was added; the first one closes the list of those found', async () => {
    const { user, onClose } = open();
    await user.click(screen.getByRole('combobox', { name: 'Add a person or a team' }));
    await user.click(await screen.findByRole('option', { name: /Cleo Marsh/u }));
    await user.click(screen.getByRole('combobox', { name: 'Add a person or a team' }));
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await user.keyboard('{Escape}');
    await user.click(within(await question()).getByRole('button', { name: 'Keep editing' }));
    expect(onClose).not.toHaveBeenCalled();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Remove Cleo Marsh' })).toBeVisible());
    // The focus is in the field again, so its list is open.
    await user.keyboard('{Escape}{Escape}');
    await user.click(within(await question()).getByRole('button', { name: 'Discard changes' }));
    expect(onClose).toHaveBeenCalledOnce();
  });
});
