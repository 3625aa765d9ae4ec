import { UserManager } from 'oidc-client-ts';
import { act, render } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as oidc from 'react-oidc-context';
import { acknowledgeEnd, endSession, meState, signOut, type EndCode } from '@/stores/me-store';
import { ada } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { SessionKeeper } from './session-keeper';
import { eventually } from '@/testing/eventually';

vi.mock('react-oidc-context', async (original) => ({
  ...(await original<typeof oidc>()),
  useAuth: vi.fn(),
}));

const user = { access_token: 'a.b.c', expired: false };

function setup(answer: () => Response = () => HttpResponse.json(ada)) {
  const auth = { user: user as typeof user | undefined };
  vi.mocked(oidc.useAuth).mockImplementation(() => ({ ...auth }) as unknown as oidc.AuthContextProps);
  let calls = 0;
  server.use(
    http.get(api('user/me'), () => {
      calls++;
      return answer();
    }),
  );
  const navigate = vi.fn(() => Promise.resolve());
  const manager = new UserManager({
    authority: 'http://here',
    client_id: 'web',
    redirect_uri: 'http://here',
  });
  const removeUser = vi.spyOn(manager, 'removeUser').mockImplementation(() => {
    auth.user = undefined;
    return Promise.resolve();
  });
  render(<SessionKeeper manager={manager} navigate={navigate} />);
  return { removeUser, navigate, calls: () => calls };
}

const ready = () => eventually(() => expect(meState.phase).toBe('ready'));

beforeEach(() => {
  signOut();
  acknowledgeEnd();
});

describe('SessionKeeper', () => {
  it('HandsOverTheBearer', async () => {
    setup();
    await ready();
    expect(meState.user?.fullName).toBe('Ada Lindqvist');
  });

  it('AsksOnceForAPersonWhoIsRefused', async () => {
    const { calls } = setup(() => problem(403, 'U401', 'Unknown'));
    await eventually(() => expect(meState.phase).toBe('unknown-user'));
    // One call and its one retry; the phase that changed is no reason to ask again.
    await act(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(calls()).toBe(2);
  });

  it.each<[EndCode, string]>([
    ['E401', '/login?code=E401'],
    ['U401', '/login?code=U401'],
    ['idle', '/login'],
    ['signed-out', '/login'],
  ])('Ends the sign-in at %s', async (code, path) => {
    const { navigate, removeUser } = setup();
    await ready();
    act(() => endSession(code));
    await eventually(() => expect(meState.phase).toBe('signed-out'));
    expect(navigate).toHaveBeenCalledExactlyOnceWith(path);
    expect(removeUser).toHaveBeenCalledTimes(1);
  });

  it('KeepsTheSignInWhenTheServerCouldNotBeReached', async () => {
    const { navigate, removeUser } = setup();
    await ready();
    act(() => endSession('S429'));
    await eventually(() => expect(navigate).toHaveBeenCalledWith('/login?code=S429'));
    expect(removeUser).not.toHaveBeenCalled();
    await eventually(() => expect(meState.phase).toBe('signed-out'));
    // The sign-in page is there, and the sign-in itself still good: the person may go back in.
    act(acknowledgeEnd);
    await ready();
  });
});
