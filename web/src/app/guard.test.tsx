import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as oidc from 'react-oidc-context';
import { resetBaseData } from '@/stores/base-data';
import { acknowledgeEnd, signIn, signOut } from '@/stores/me-store';
import * as bindings from '@/stores/stream-bindings';
import { ada } from '@/testing/fixtures/wire';
import { renderAt } from '@/testing/render';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import { Guard, passage, type Passage } from './guard';
import { eventually } from '@/testing/eventually';

vi.mock('react-oidc-context', async (original) => ({
  ...(await original<typeof oidc>()),
  useAuth: vi.fn(),
}));

function auth(state: Partial<oidc.AuthContextProps>): void {
  vi.mocked(oidc.useAuth).mockReturnValue({
    isLoading: false,
    isAuthenticated: true,
    activeNavigator: undefined,
    ...state,
  } as oidc.AuthContextProps);
}

const routes = {
  '/authorizing': 'authorizing',
  '/unauthorized': 'unauthorized',
  '*': <Guard />,
};

beforeEach(() => {
  signOut();
  acknowledgeEnd();
  resetBaseData();
  vi.spyOn(bindings, 'startStream').mockReturnValue();
});

describe('passage', () => {
  const inside = {
    authLoading: false,
    authenticated: true,
    ended: false,
    me: 'ready',
    baseData: 'fetched',
  } as const;

  it.each<[string, Partial<Parameters<typeof passage>[0]>, Passage]>([
    ['signed in and loaded', {}, 'pass'],
    ['the sign-in loads', { authLoading: true, authenticated: false }, 'wait'],
    ['the session has ended', { ended: true, me: 'failed' }, 'wait'],
    ['nobody is signed in', { authenticated: false }, 'authorize'],
    ['the person is asked for', { me: 'loading' }, 'wait'],
    ['the bearer is not handed over yet', { me: 'signed-out' }, 'wait'],
    ['the app does not know the person', { me: 'unknown-user' }, 'unauthorized'],
    ['the server does not answer', { me: 'failed' }, 'no-answer'],
    ['the base data loads', { baseData: 'fetching' }, 'load'],
    ['the base data failed', { baseData: 'failed' }, 'no-base-data'],
  ])('When %s', (_, changes, way) => {
    expect(passage({ ...inside, ...changes })).toBe(way);
  });
});

describe('Guard', () => {
  it('CarriesTheReturnPathToTheSignIn', async () => {
    auth({ isAuthenticated: false });
    const { where } = renderAt('/conversations/1?message_id=2', routes);
    await screen.findByText('authorizing');
    expect(where()).toBe('/authorizing?returnTo=%2Fconversations%2F1%3Fmessage_id%3D2');
  });

  it('ShowsTheSpinnerWhileTheSignInLoads', () => {
    auth({ isLoading: true });
    renderAt('/', routes);
    expect(screen.getByRole('status')).toHaveTextContent('Loading');
  });

  it('SendsAnUnknownPersonAway', async () => {
    auth({});
    server.use(http.get(api('user/me'), () => problem(403, 'U401', 'Unknown')));
    renderAt('/', routes);
    await signIn('token');
    await screen.findByText('unauthorized');
  });

  it('LoadsTheBaseData, and offersAnotherTryWhenItFails', async () => {
    auth({});
    let broken = true;
    server.use(
      http.get(api('user/me'), () => HttpResponse.json(ada)),
      http.get(api('analyst/analysts'), () => (broken ? problem(500, 'I500', 'no') : page([]))),
      http.get(api('analyst/default'), () => HttpResponse.json({ id: 1 })),
      http.get(api('memory/datasources'), () => page([])),
      http.get(api('memory/datasources/type'), () => page([])),
    );
    const { user } = renderAt('/', routes);
    await signIn('token');
    expect(await screen.findByText('Error loading assets')).toBeVisible();
    expect(bindings.startStream).not.toHaveBeenCalled();
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await eventually(() => expect(bindings.startStream).toHaveBeenCalledWith(ada.uuid));
  });
});
