import { screen } from '@testing-library/react';
import { User } from 'oidc-client-ts';
import { expect, it } from 'vitest';
import { keptKey } from '@/lib/kept-sign-in';
import { openIdentity } from '@/stores/identity-store';
import { renderAt } from '@/testing/render';
import { Component as UnauthorizedPage } from './unauthorized-page';

it('says that the person is not authorized, and leads to the sign-in page without their sign-in', async () => {
  const provider = { authority: 'http://here', clientId: 'web', scope: 'openid', redirectUri: '' };
  const profile = { sub: 'elena', iss: 'http://here', aud: 'web', exp: 0, iat: 0 };
  const kept = new User({ access_token: 'a.b.c', token_type: 'Bearer', profile });
  localStorage.setItem(keptKey(provider), kept.toStorageString());
  await openIdentity(provider);
  const { user, where } = renderAt('/unauthorized', {
    '/unauthorized': <UnauthorizedPage />,
    '/login': 'login',
  });
  expect(
    screen.getByText('You are not authorized to view this page. Please login to continue.'),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Login' }));
  await screen.findByText('login');
  expect(localStorage.getItem(keptKey(provider))).toBeNull();
  expect(where()).toBe('/login');
});
