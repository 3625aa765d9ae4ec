import { User, UserManager } from 'oidc-client-ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keptKey, logOutKey, type Provider } from '@/lib/kept-sign-in';
import {
  followOtherTabs,
  forgetIdentity,
  identityState,
  openIdentity,
  renewIdentity,
} from './identity-store';

const known: Provider = {
  authority: 'http://here/dex',
  clientId: 'web',
  scope: 'openid offline_access',
  redirectUri: '',
};
const key = keptKey(known);

function person(accessToken: string): string {
  return new User({
    access_token: accessToken,
    token_type: 'bearer',
    refresh_token: 'r',
    profile: { sub: 'ada', iss: 'http://here/dex', aud: 'web', exp: 0, iat: 0 },
    expires_at: Math.floor(Date.now() / 1000) + 3600,
  }).toStorageString();
}

const at = (path: string): void => window.history.replaceState(null, '', path);

beforeEach(() => localStorage.clear());
afterEach(() => at('/'));

describe('openIdentity', () => {
  it('reads what is kept of an earlier sign-in', async () => {
    localStorage.setItem(key, person('a.b.c'));
    await openIdentity({ ...known });
    expect(identityState).toMatchObject({ settled: true, failed: false, kept: { access_token: 'a.b.c' } });
  });

  it.each([
    ['nothing', null],
    ['something else', '{"a":1}'],
    ['no JSON', 'x'],
  ])('holds nobody when %s is kept', async (_, text) => {
    if (text !== null) localStorage.setItem(key, text);
    await openIdentity({ ...known });
    expect(identityState).toMatchObject({ settled: true, failed: false, kept: null });
  });

  it('takes the answer of the provider, once', async () => {
    at('/authorizing?code=abc&state=def');
    const answered = vi.spyOn(UserManager.prototype, 'signinCallback').mockImplementation(() => {
      localStorage.setItem(key, person('d.e.f'));
      return Promise.resolve(undefined);
    });
    const provider = { ...known };
    await Promise.all([openIdentity(provider), openIdentity(provider)]);
    expect(answered).toHaveBeenCalledTimes(1);
    expect(identityState).toMatchObject({ settled: true, kept: { access_token: 'd.e.f' } });
  });

  it('A11 says that an answer without its state has failed, and asks nobody', async () => {
    const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('not to be asked'));
    at('/authorizing?code=abc&state=another');
    await openIdentity({ ...known });
    expect(identityState).toMatchObject({ settled: true, failed: true, kept: null });
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('renewIdentity', () => {
  it('stores the newer bearer', async () => {
    localStorage.setItem(key, person('old.a.t'));
    await openIdentity({ ...known });
    vi.spyOn(UserManager.prototype, 'signinSilent').mockImplementation(() => {
      localStorage.setItem(key, person('new.a.t'));
      return Promise.resolve(User.fromStorageString(person('new.a.t')));
    });
    expect(await renewIdentity('old.a.t')).toMatchObject({ token: 'new.a.t' });
    expect(identityState.kept?.access_token).toBe('new.a.t');
  });
});

describe('forgetIdentity', () => {
  it('leaves nothing of the person in this browser', async () => {
    localStorage.setItem(key, person('a.b.c'));
    await openIdentity({ ...known });
    forgetIdentity();
    expect(identityState.kept).toBeNull();
    expect(localStorage.getItem(key)).toBeNull();
  });
});

describe('followOtherTabs', () => {
  function change(newValue: string | null, name = key): void {
    if (newValue === null) localStorage.removeItem(name);
    else localStorage.setItem(name, newValue);
    window.dispatchEvent(new StorageEvent('storage', { key: name, newValue }));
  }

  it('takes over a renewed bearer', async () => {
    await openIdentity({ ...known });
    const stop = followOtherTabs(vi.fn());
    change(person('new.access.token'));
    expect(identityState.kept?.access_token).toBe('new.access.token');
    stop();
  });

  it('ends as the other tab did, and heeds nothing else', async () => {
    await openIdentity({ ...known });
    const ended = vi.fn();
    const stop = followOtherTabs(ended);
    change(null, 'something.else');
    expect(ended).not.toHaveBeenCalled();
    change(null);
    expect(ended).toHaveBeenCalledExactlyOnceWith('elsewhere');
    // A log-out is announced before the sign-in is removed.
    change('now', logOutKey);
    expect(ended).toHaveBeenLastCalledWith('signed-out');
    ended.mockClear();
    stop();
    change(null);
    expect(ended).not.toHaveBeenCalled();
  });
});
