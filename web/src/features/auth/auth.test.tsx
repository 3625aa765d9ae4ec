import { User } from 'oidc-client-ts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as oidc from 'react-oidc-context';
import { notify } from '@/lib/notify';
import { endSession } from '@/stores/me-store';
import { renderAt } from '@/testing/render';
import { Component as AuthorizingPage } from './authorizing-page';
import { saveReturnPath } from './return-path';
import { Component as LoginPage } from './login-page';

vi.mock('react-oidc-context', async (original) => ({
  ...(await original<typeof oidc>()),
  useAuth: vi.fn(),
}));

const signinRedirect = vi.fn(() => Promise.resolve());

function auth(state: Partial<oidc.AuthContextProps>): void {
  vi.mocked(oidc.useAuth).mockReturnValue({
    isLoading: false,
    isAuthenticated: false,
    activeNavigator: undefined,
    error: undefined,
    signinRedirect,
    ...state,
  } as unknown as oidc.AuthContextProps);
}

const routes = { '/login': 'login', '/authorizing': <AuthorizingPage />, '*': 'inside' };

beforeEach(() => {
  vi.spyOn(notify, 'stays').mockReturnValue();
});

describe('LoginPage', () => {
  it('LeavesForTheProvider', async () => {
    auth({});
    const { user } = renderAt('/login', { '/login': <LoginPage /> });
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Login' }));
    expect(signinRedirect).toHaveBeenCalledTimes(1);
    expect(notify.stays).not.toHaveBeenCalled();
  });

  it('A20 has the provider ask anew after a session has ended', async () => {
    auth({});
    endSession('signed-out');
    const { user } = renderAt('/login', { '/login': <LoginPage /> });
    await user.click(screen.getByRole('button', { name: 'Login' }));
    expect(signinRedirect).toHaveBeenLastCalledWith({ prompt: 'login' });
  });

  it('SaysWhyThePersonIsHere', async () => {
    auth({});
    renderAt('/login?code=S429', { '/login': <LoginPage /> });
    await waitFor(() =>
      expect(notify.stays).toHaveBeenCalledWith('login-S429', 'Failed to reconnect to server'),
    );
  });

  it('SaysThatTheProviderCannotBeReached', async () => {
    const said = vi.spyOn(notify, 'error').mockReturnValue();
    auth({ signinRedirect: () => Promise.reject(new Error('no')) });
    const { user } = renderAt('/login', { '/login': <LoginPage /> });
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await waitFor(() => expect(said).toHaveBeenCalledWith('The sign-in service cannot be reached.'));
  });
});

describe('AuthorizingPage', () => {
  it('GoesOnToTheSignIn, and backToWhereThePersonWanted', async () => {
    auth({});
    const first = renderAt('/authorizing?returnTo=%2Fdatasource%2F3', routes);
    await screen.findByText('login');
    first.unmount();
    auth({ isAuthenticated: true });
    const second = renderAt('/authorizing?code=abc&state=def', routes);
    await screen.findByText('inside');
    expect(second.where()).toBe('/datasource/3');
  });

  it('LeadsNobodyElseToWhereASessionEnded', async () => {
    const profile = { sub: 'elena', iss: 'http://here', aud: 'web', exp: 0, iat: 0 };
    auth({ isAuthenticated: true, user: new User({ access_token: 'a.b.c', token_type: 'Bearer', profile }) });
    saveReturnPath('/conversations/c1', 'ada');
    const { where } = renderAt('/authorizing?code=abc&state=def', routes);
    await screen.findByText('inside');
    expect(where()).toBe('/');
  });

  it('EndsAtHomeWithoutASavedPath', async () => {
    auth({ isAuthenticated: true });
    const { where } = renderAt('/authorizing', routes);
    await screen.findByText('inside');
    expect(where()).toBe('/');
  });

  it('A14 never leaves the app', async () => {
    auth({ isAuthenticated: true });
    const { where } = renderAt('/authorizing?returnTo=%2F%2Fevil.example', routes);
    await screen.findByText('inside');
    expect(where()).toBe('/');
  });

  it('WaitsWhileTheProviderIsAsked', () => {
    auth({ isLoading: true });
    const { where } = renderAt('/authorizing?code=abc&state=def', routes);
    expect(screen.getByRole('status')).toHaveTextContent('Signing you in');
    expect(where()).toContain('/authorizing');
  });
});
