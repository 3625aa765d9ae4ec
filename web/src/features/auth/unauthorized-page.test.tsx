import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import * as oidc from 'react-oidc-context';
import { renderAt } from '@/testing/render';
import { Component as UnauthorizedPage } from './unauthorized-page';

vi.mock('react-oidc-context', async (original) => ({
  ...(await original<typeof oidc>()),
  useAuth: vi.fn(),
}));

it('says that the person is not authorized, and leads to the sign-in page without their sign-in', async () => {
  const removeUser = vi.fn(() => Promise.resolve());
  vi.mocked(oidc.useAuth).mockReturnValue({ removeUser } as unknown as oidc.AuthContextProps);
  const { user, where } = renderAt('/unauthorized', {
    '/unauthorized': <UnauthorizedPage />,
    '/login': 'login',
  });
  expect(
    screen.getByText('You are not authorized to view this page. Please login to continue.'),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Login' }));
  await screen.findByText('login');
  expect(removeUser).toHaveBeenCalledOnce();
  expect(where()).toBe('/login');
});
