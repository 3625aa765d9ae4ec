import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderView } from '@/testing/fixtures/components/render-view';
import { Menu } from './menu';

function show(onSelect = vi.fn()) {
  renderView(
    <>
      <Menu trigger={<button type="button">More</button>}>
        {(M) => (
          <>
            <M.Item onSelect={onSelect}>Copy</M.Item>
            <M.Item>Share</M.Item>
          </>
        )}
      </Menu>
      <input aria-label="Elsewhere" />
    </>,
  );
  return { user: userEvent.setup(), onSelect };
}

const button = () => screen.getByRole('button', { name: 'More' });

it('says that it opens a menu, and brings it at the first press', async () => {
  const { user, onSelect } = show();
  expect(button()).toHaveAttribute('aria-haspopup', 'menu');
  expect(button()).toHaveAttribute('aria-expanded', 'false');
  await user.click(button());
  await user.click(await screen.findByRole('menuitem', { name: 'Copy' }));
  expect(onSelect).toHaveBeenCalledTimes(1);
});

it('opens at a key with its first entry, and gives the focus back', async () => {
  const { user } = show();
  button().focus();
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('menuitem', { name: 'Copy' })).toHaveFocus();
  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole('menuitem', { name: 'Share' })).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(button()).toHaveFocus();
});

it('keeps the focus on its button while nobody opens it', async () => {
  const { user } = show();
  await user.tab();
  expect(button()).toHaveFocus();
  await user.tab();
  expect(screen.getByLabelText('Elsewhere')).toHaveFocus();
});
