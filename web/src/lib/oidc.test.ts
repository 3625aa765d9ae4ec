import { ErrorResponse, OidcClient, User } from 'oidc-client-ts';
import { describe, expect, it, vi } from 'vitest';
import { bearerOf, keptKey, readKept } from './kept-sign-in';
import { createUserManager, renewSignIn } from './oidc';

const config = {
  authority: 'http://here/dex',
  clientId: 'web',
  scope: 'openid offline_access',
  redirectUri: '',
};

function person(accessToken: string, idToken?: string): User {
  return new User({
    access_token: accessToken,
    ...(idToken !== undefined && { id_token: idToken }),
    token_type: 'bearer',
    profile: { sub: 'ada', iss: 'http://here/dex', aud: 'web', exp: 0, iat: 0 },
    expires_at: Math.floor(Date.now() / 1000) + 3600,
  });
}

describe('createUserManager', () => {
  it('ReturnsToThisOriginWhereNothingElseIsSaid', () => {
    expect(createUserManager(config).settings.redirect_uri).toBe('http://localhost:3000/authorizing');
  });

  it('LeavesTheTimeOfRenewalsToTheSignIn', () => {
    expect(createUserManager(config).settings.automaticSilentRenew).toBe(false);
  });
});

describe('the local storage', () => {
  it('stores the signed-in person for all tabs, and a page reads the bearer from there', async () => {
    localStorage.clear();
    expect(readKept(config)).toBeNull();
    await createUserManager(config).storeUser(person('a.b.c'));
    expect(localStorage.getItem(keptKey(config))).toContain('"access_token":"a.b.c"');
    expect(sessionStorage.getItem(keptKey(config))).toBeNull();
    const kept = readKept(config);
    expect(kept && bearerOf(kept).token).toBe('a.b.c');
    // Another tab has the same storage and its own manager.
    expect((await createUserManager(config).getUser())?.access_token).toBe('a.b.c');
    await createUserManager(config).removeUser();
    expect(readKept(config)).toBeNull();
  });
});

describe('bearerOf', () => {
  it('PrefersAnAccessTokenThatIsAJwt', () => {
    expect(bearerOf(person('a.b.c', 'x.y.z')).token).toBe('a.b.c');
    expect(bearerOf(person('opaque', 'x.y.z')).token).toBe('x.y.z');
    expect(bearerOf(person('opaque')).token).toBe('opaque');
  });

  it('EndsWhenTheTokenDoesThatIsUsed', () => {
    const user = person('a.b.c', 'x.y.z');
    expect(bearerOf(user).expires).toBe((user.expires_at ?? 0) * 1000);
    const opaque = person('opaque', 'x.y.z');
    opaque.profile.exp = 1234;
    expect(bearerOf(opaque).expires).toBe(1_234_000);
    delete user.expires_at;
    expect(bearerOf(user).expires).toBe(Infinity);
  });

  it('IsRenewableWithARefreshToken', () => {
    const user = person('a.b.c');
    expect(bearerOf(user).renewable).toBe(false);
    user.refresh_token = 'r';
    expect(bearerOf(user).renewable).toBe(true);
  });
});

describe('renewSignIn', () => {
  function setup(kept: User | null, renewal: () => Promise<User>) {
    const manager = createUserManager(config);
    const read = vi.spyOn(manager, 'getUser').mockResolvedValue(kept);
    const asked = vi.spyOn(manager, 'signinSilent').mockImplementation(renewal);
    return { manager, read, asked };
  }
  const refuse = () => Promise.reject(new ErrorResponse({ error: 'invalid_grant' }));

  it('AsksTheProvider', async () => {
    const { manager } = setup(person('old.a.t'), () => Promise.resolve(person('new.a.t')));
    expect(await renewSignIn(manager, 'old.a.t')).toMatchObject({ token: 'new.a.t' });
  });

  it('TakesWhatAnotherTabHasGot', async () => {
    const { manager, asked } = setup(person('new.a.t'), refuse);
    expect(await renewSignIn(manager, 'old.a.t')).toMatchObject({ token: 'new.a.t' });
    expect(asked).not.toHaveBeenCalled();
  });

  it('TakesWhatAnotherTabGotWhileThisOneWasRefused', async () => {
    const { manager, read } = setup(person('old.a.t'), () => {
      read.mockResolvedValue(person('new.a.t'));
      return refuse();
    });
    expect(await renewSignIn(manager, 'old.a.t')).toMatchObject({ token: 'new.a.t' });
  });

  it.each<[string, Error, string]>([
    ['says no', new ErrorResponse({ error: 'invalid_grant' }), 'refused'],
    ['is in trouble', new ErrorResponse({ error: 'server_error' }), 'unreached'],
    ['does not answer', new Error('Failed to fetch'), 'unreached'],
  ])('When the provider %s', async (_, error, answer) => {
    const { manager } = setup(person('old.a.t'), () => Promise.reject(error));
    expect(await renewSignIn(manager, 'old.a.t')).toBe(answer);
  });

  it('IsRefusedWhereAnotherTabHasEndedTheSignIn', async () => {
    const { manager, asked } = setup(null, refuse);
    expect(await renewSignIn(manager, 'old.a.t')).toBe('refused');
    expect(asked).not.toHaveBeenCalled();
  });
});

/** A11: a sign-in can only be completed where it began, and only once. */
describe('signinCallback (A11)', () => {
  const here = 'http://localhost:3000/authorizing';
  const metadata = {
    issuer: 'http://here/dex',
    authorization_endpoint: 'http://here/dex/auth',
    token_endpoint: 'http://here/dex/token',
  };

  async function begun() {
    sessionStorage.clear();
    const manager = createUserManager(config);
    vi.spyOn(manager.metadataService, 'getMetadata').mockResolvedValue(metadata);
    const client = new OidcClient(manager.settings, manager.metadataService);
    const request = await client.createSigninRequest({});
    return { client, manager, state: new URL(request.url).searchParams.get('state') ?? '' };
  }

  it.each(['', '?code=abc', '?code=abc&state=', '?code=abc&state=another'])(
    'Refuses a return without the state: %s',
    async (query) => {
      const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('not to be asked'));
      const { manager } = await begun();
      await expect(manager.signinCallback(here + query)).rejects.toThrow();
      expect(await manager.getUser()).toBeNull();
      expect(asked).not.toHaveBeenCalled();
      asked.mockRestore();
    },
  );

  it('Refuses a state that was used, or that another browser has', async () => {
    const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no provider here'));
    const { client, state } = await begun();
    const back = `${here}?code=abc&state=${state}`;
    await expect(client.processSigninResponse(back)).rejects.toThrow('no provider here');
    expect(asked).toHaveBeenCalledTimes(1);
    await expect(client.processSigninResponse(back)).rejects.toThrow('No matching state');
    expect(asked).toHaveBeenCalledTimes(1);

    const other = await begun();
    localStorage.clear();
    await expect(other.client.processSigninResponse(`${here}?code=abc&state=${other.state}`)).rejects.toThrow(
      'No matching state',
    );
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });
});
