import { UserManager } from 'oidc-client-ts';
import { act, render } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as oidc from 'react-oidc-context';
import { acknowledgeEnd, endSession, meState, signOut, type EndCode } from '@/stores/me-store';
import { takeReturnPath } from '@/features/auth/return-path';
import { changeDraft, draftsState, openDrafts } from '@/stores/drafts-store';
import { ada } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { SessionKeeper } from './session-keeper';
import { eventually } from '@/testing/eventually';

vi.mock('react-oidc-context', async (original) => ({
  ...(await original<typeof oidc>()),
  useAuth: vi.fn(),
}));

const user = { access_token: 'a.b.c', expired: false, profile: { sub: 'ada' } };

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
    ['elsewhere', '/login'],
  ])('Ends the sign-in at %s', async (code, path) => {
    const { navigate, removeUser } = setup();
    await ready();
    act(() => endSession(code));
    await eventually(() => expect(meState.phase).toBe('signed-out'));
    expect(navigate).toHaveBeenCalledExactlyOnceWith(path);
    expect(removeUser).toHaveBeenCalledTimes(1);
  });

  it.each<[EndCode, boolean]>([
    ['E401', true],
    ['idle', true],
    ['elsewhere', true],
    ['signed-out', false],
  ])('At %s, what was typed and where waits for the same person: %s', async (code, waits) => {
    const { navigate } = setup();
    await ready();
    openDrafts(ada.uuid);
    changeDraft('c1', { text: 'why did returns rise' });
    window.history.replaceState(null, '', '/conversations/c1?message_id=m1');
    act(() => endSession(code));
    await eventually(() => expect(navigate).toHaveBeenCalled());
    openDrafts(ada.uuid);
    expect(draftsState.drafts['c1']?.text).toBe(waits ? 'why did returns rise' : undefined);
    expect(takeReturnPath('ada')).toBe(waits ? '/conversations/c1?message_id=m1' : '/');
    changeDraft('c1', { text: 'mine' });
    openDrafts('somebody else');
    expect(draftsState.drafts).toEqual({});
    expect(sessionStorage.getItem('parley.drafts')).not.toContain('mine');
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
