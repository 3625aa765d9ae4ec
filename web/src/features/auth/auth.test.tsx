import { User, UserManager } from 'oidc-client-ts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keptKey, type Provider } from '@/lib/kept-sign-in';
import { notify } from '@/lib/notify';
import { openIdentity } from '@/stores/identity-store';
import { endSession, meState, signInStep } from '@/stores/me-store';
import { ada } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, server } from '@/testing/server';
import { bearer, nobody, signIn } from '@/testing/sign-in';
import { Component as AuthorizingPage } from './authorizing-page';
import { saveReturnPath } from './return-path';
import { Component as LoginPage } from './login-page';
import { eventually } from '@/testing/eventually';

const provider: Provider = { authority: 'http://here', clientId: 'web', scope: 'openid', redirectUri: '' };

/** The page knows the provider, and has read the stored sign-in. */
async function open(): Promise<void> {
  await openIdentity({ ...provider });
}

/** How the provider's page is opened. */
function leaving(go: () => Promise<void> = () => Promise.resolve()) {
  return vi.spyOn(UserManager.prototype, 'signinRedirect').mockImplementation(go);
}

const routes = { '/login': 'login', '/authorizing': <AuthorizingPage />, '*': 'inside' };

/** The page has a bearer. */
function hold(): void {
  signInStep({ type: 'held', bearer: bearer() });
}

beforeEach(async () => {
  nobody();
  localStorage.clear();
  await open();
  server.use(http.get(api('user/me'), () => HttpResponse.json(ada)));
  vi.spyOn(notify, 'stays').mockReturnValue();
});

describe('LoginPage', () => {
  it('LeavesForTheProvider', async () => {
    const left = leaving();
    const { user } = renderAt('/login', { '/login': <LoginPage /> });
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await eventually(() => expect(left).toHaveBeenCalledExactlyOnceWith(undefined));
    expect(notify.stays).not.toHaveBeenCalled();
  });

  it('A20 has the provider ask again after a session has ended', async () => {
    const left = leaving();
    hold();
    endSession('signed-out');
    const { user } = renderAt('/login', { '/login': <LoginPage /> });
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await eventually(() => expect(left).toHaveBeenLastCalledWith({ prompt: 'login' }));
  });

  it('SaysThatItIsThere, so that the end of the session is over', async () => {
    hold();
    endSession('E401');
    renderAt('/login?code=E401', { '/login': <LoginPage /> });
    signInStep({ type: 'cleared' });
    await eventually(() => expect(meState.signIn).toEqual({ phase: 'signed-out', after: 'E401' }));
  });

  it('GoesHomeWithAUserWhoIsSignedIn, unless they were sent here', async () => {
    await signIn();
    const sent = renderAt('/login?code=S429', { '/login': <LoginPage />, '*': 'inside' });
    expect(screen.getByRole('button', { name: 'Login' })).toBeVisible();
    sent.unmount();
    const { where } = renderAt('/login', { '/login': <LoginPage />, '*': 'inside' });
    await screen.findByText('inside');
    expect(where()).toBe('/home');
  });

  it('SaysWhyThePersonIsHere', async () => {
    renderAt('/login?code=S429', { '/login': <LoginPage /> });
    await waitFor(() =>
      expect(notify.stays).toHaveBeenCalledWith('login-S429', 'Failed to reconnect to server'),
    );
  });

  it('SaysThatTheProviderCannotBeReached', async () => {
    const said = vi.spyOn(notify, 'error').mockReturnValue();
    leaving(() => Promise.reject(new Error('no')));
    const { user } = renderAt('/login', { '/login': <LoginPage /> });
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await waitFor(() => expect(said).toHaveBeenCalledWith('The sign-in service cannot be reached.'));
  });
});

describe('AuthorizingPage', () => {
  it('GoesOnToTheSignIn, and backToWhereThePersonWanted', async () => {
    const first = renderAt('/authorizing?returnTo=%2Fdatasource%2F3', routes);
    await screen.findByText('login');
    first.unmount();
    hold();
    const second = renderAt('/authorizing?code=abc&state=def', routes);
    await screen.findByText('inside');
    expect(second.where()).toBe('/datasource/3');
  });

  it('GoesBackOnce, whatever is learnt of the person while the next page loads', async () => {
    hold();
    saveReturnPath('/datasource/3');
    let arrive = (_: { Component: () => string }): void => undefined;
    const { where } = renderAt('/authorizing?code=abc&state=def', routes, {
      '/datasource/:id': () => new Promise((resolve) => (arrive = resolve)),
    });
    await eventually(() => expect(meState.signIn.phase).toBe('live'));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    arrive({ Component: () => 'the connector' });
    await screen.findByText('the connector');
    expect(where()).toBe('/datasource/3');
  });

  it('LeadsNobodyElseToWhereASessionEnded', async () => {
    const profile = { sub: 'elena', iss: 'http://here', aud: 'web', exp: 0, iat: 0 };
    hold();
    const elena = new User({ access_token: 'a.b.c', token_type: 'Bearer', profile });
    localStorage.setItem(keptKey(provider), elena.toStorageString());
    await open();
    saveReturnPath('/conversations/c1', 'ada');
    const { where } = renderAt('/authorizing?code=abc&state=def', routes);
    await screen.findByText('inside');
    expect(where()).toBe('/');
  });

  it('EndsAtHomeWithoutASavedPath', async () => {
    hold();
    const { where } = renderAt('/authorizing', routes);
    await screen.findByText('inside');
    expect(where()).toBe('/');
  });

  it('A14 never leaves the app', async () => {
    hold();
    const { where } = renderAt('/authorizing?returnTo=%2F%2Fevil.example', routes);
    await screen.findByText('inside');
    expect(where()).toBe('/');
  });

  it('WaitsWhileASessionEnds', () => {
    hold();
    endSession('E401');
    const { where } = renderAt('/authorizing?code=abc&state=def', routes);
    expect(screen.getByRole('status')).toHaveTextContent('Signing you in');
    expect(where()).toContain('/authorizing');
  });
});
