import { ErrorResponse, User, UserManager } from 'oidc-client-ts';
import { act, render } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keptKey, type Provider } from '@/lib/kept-sign-in';
import type { EndCode } from '@/lib/sign-in';
import { openIdentity } from '@/stores/identity-store';
import { endSession, meState, signInStep } from '@/stores/me-store';
import { takeReturnPath } from '@/features/auth/return-path';
import { changeDraft, draftsState, openDrafts } from '@/stores/drafts-store';
import { ada } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { nobody } from '@/testing/sign-in';
import { SessionKeeper } from './session-keeper';
import { eventually } from '@/testing/eventually';

const provider: Provider = {
  authority: 'http://here',
  clientId: 'web',
  scope: 'openid offline_access',
  redirectUri: '',
};

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
const user = { access_token: 'a.b.c', refresh_token: 'r', expires_at: inAnHour(), profile: { sub: 'ada' } };

/** The provider's answer to a renewal. */
type Renewal = () => Promise<User>;

const newer: Renewal = () =>
  Promise.resolve(new User({ ...user, access_token: 'd.e.f', token_type: 'Bearer', profile: whole }));
const whole = { sub: 'ada', iss: 'http://here', aud: 'web', exp: inAnHour(), iat: 0 };

function setup(
  answer: () => Response = () => HttpResponse.json(ada),
  kept: typeof user = user,
  renewal: Renewal = newer,
) {
  let calls = 0;
  server.use(
    http.get(api('user/me'), () => {
      calls++;
      return answer();
    }),
  );
  const navigate = vi.fn(() => Promise.resolve());
  const key = keptKey(provider);
  const keep = (one: User): void => localStorage.setItem(key, one.toStorageString());
  keep(new User({ ...kept, token_type: 'Bearer', profile: whole }));
  const renew = vi.spyOn(UserManager.prototype, 'signinSilent').mockImplementation(async () => {
    const one = await renewal();
    keep(one);
    return one;
  });
  void openIdentity({ ...provider });
  render(<SessionKeeper navigate={navigate} />);
  return { holds: () => localStorage.getItem(key) !== null, navigate, renew, calls: () => calls };
}

const ready = () => eventually(() => expect(meState.signIn.phase).toBe('live'));

beforeEach(() => {
  nobody();
});

describe('SessionKeeper', () => {
  it('HandsOverTheBearer', async () => {
    setup();
    await ready();
    expect(meState.user?.fullName).toBe('Ada Lindqvist');
  });

  it('RenewsABearerThatEndedWhileThePageWasAway', async () => {
    const { renew } = setup(undefined, { ...user, expires_at: 1 });
    await ready();
    expect(renew).toHaveBeenCalledTimes(1);
    expect(meState.signIn).toMatchObject({ bearer: { token: 'd.e.f' } });
  });

  it('EndsAsExpiredWhenTheProviderRefusesToRenew', async () => {
    const refuse = () => Promise.reject(new ErrorResponse({ error: 'invalid_grant' }));
    const { navigate, holds } = setup(undefined, { ...user, expires_at: 1 }, refuse);
    await eventually(() => expect(navigate).toHaveBeenCalledWith('/login?code=E401'));
    await eventually(() => expect(holds()).toBe(false));
  });

  it('TriesAgainWhenTheProviderCannotBeReached', async () => {
    const replies: Renewal[] = [() => Promise.reject(new Error('no network')), newer];
    const { renew, navigate } = setup(undefined, { ...user, expires_at: 1 }, () => replies.shift()!());
    await eventually(() => expect(meState.signIn).toMatchObject({ phase: 'renewing', failures: 1 }));
    signInStep({ type: 'wake' });
    await ready();
    expect(renew).toHaveBeenCalledTimes(2);
    expect(navigate).not.toHaveBeenCalled();
  });

  it('AsksOnceForAPersonWhoIsRefused', async () => {
    const { calls } = setup(() => problem(403, 'U401', 'Unknown'));
    await eventually(() => expect(meState.signIn).toMatchObject({ trouble: 'unknown-user' }));
    // One call and its one retry; the change of phase must not cause another call.
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
    const { navigate, holds } = setup();
    await ready();
    act(() => endSession(code));
    await eventually(() => expect(meState.signIn).toMatchObject({ phase: 'ended', cleared: true }));
    expect(navigate).toHaveBeenCalledExactlyOnceWith(path);
    expect(holds()).toBe(false);
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
    const { navigate, holds } = setup();
    await ready();
    act(() => endSession('S429'));
    await eventually(() => expect(navigate).toHaveBeenCalledWith('/login?code=S429'));
    expect(holds()).toBe(true);
    await eventually(() => expect(meState.signIn).toMatchObject({ phase: 'ended', cleared: true }));
    // The sign-in page is shown, and the sign-in itself is still valid: the person can continue.
    act(() => signInStep({ type: 'told' }));
    await ready();
  });
});
