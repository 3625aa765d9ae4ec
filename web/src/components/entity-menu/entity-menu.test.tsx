import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import type { EntityActions } from './actions';
import { EntityMenu } from './entity-menu';

async function open(actions: EntityActions) {
  const rendered = renderPart(<EntityMenu name="Orders" actions={actions} />);
  await rendered.user.click(screen.getByRole('button', { name: 'More actions' }));
  return rendered;
}

const choose = (name: string) => screen.getByRole('menuitem', { name });

describe('EntityMenu', () => {
  it('offers only what was given', async () => {
    await open({ download: { onDownload: vi.fn() }, edit: { to: '/edit' } });
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent.trim())).toEqual([
      'Edit',
      'Download',
    ]);
  });

  it('asks before it archives, and closes when that is done', async () => {
    const onConfirm = vi.fn(() => Promise.resolve(true));
    const { user } = await open({
      archive: { title: 'Archive connector', text: 'It leaves the lists.', onConfirm },
    });
    await user.click(choose('Archive'));
    expect(screen.getByRole('alertdialog', { name: 'Archive connector' })).toHaveTextContent(
      'It leaves the lists.',
    );
    expect(onConfirm).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Archive' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it('keeps the dialog, and says why when deleting fails', async () => {
    const onConfirm = vi.fn(() => Promise.resolve('It is in use.'));
    const { user } = await open({ remove: { title: 'Delete connector', text: 'For ever.', onConfirm } });
    await user.click(choose('Delete'));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('It is in use.');
    expect(screen.getByRole('alertdialog', { name: 'Delete connector' })).toBeVisible();
  });

  it('says why an action cannot be used, and does nothing', async () => {
    const onConfirm = vi.fn(() => Promise.resolve(true));
    const { user } = await open({
      remove: { title: 'Delete', text: '', onConfirm, disabledReason: 'Only the owner can delete it.' },
    });
    const item = screen.getByRole('menuitem', { name: /Delete/u });
    expect(item).toHaveAttribute('aria-disabled', 'true');
    expect(item).toHaveTextContent('Only the owner can delete it.');
    await user.click(item);
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });

  it('renames to what was typed, without the spaces around it', async () => {
    const onConfirm = vi.fn(() => Promise.resolve(true));
    const { user } = await open({ rename: { title: 'Rename conversation', max: 100, onConfirm } });
    await user.click(choose('Rename'));
    const field = screen.getByRole('textbox', { name: 'Name' });
    expect(field).toHaveValue('Orders');
    await user.clear(field);
    await user.type(field, '  Returns {Enter}');
    expect(onConfirm).toHaveBeenCalledExactlyOnceWith('Returns');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('refuses an empty name and one that is too long', async () => {
    const onConfirm = vi.fn(() => Promise.resolve(true));
    const { user } = await open({ rename: { title: 'Rename', max: 5, onConfirm } });
    await user.click(choose('Rename'));
    const field = screen.getByRole('textbox', { name: 'Name' });
    await user.clear(field);
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a name');
    await user.type(field, 'too long');
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    expect(screen.getByRole('alert')).toHaveTextContent('At most 5 characters');
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it('offers the name of a copy, and takes it as it is', async () => {
    const onConfirm = vi.fn(() => Promise.resolve(true));
    const { user } = await open({ duplicate: { title: 'Duplicate blueprint', max: 80, onConfirm } });
    await user.click(choose('Duplicate'));
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Copy of Orders');
    await user.click(screen.getByRole('button', { name: 'Duplicate' }));
    expect(onConfirm).toHaveBeenCalledExactlyOnceWith('Copy of Orders');
  });

  it('marks as a favorite and takes the mark back', async () => {
    const onChange = vi.fn();
    const { user } = await open({ favorite: { on: true, onChange } });
    await user.click(choose('Remove from favorites'));
    expect(onChange).toHaveBeenCalledExactlyOnceWith(false);
  });
});
