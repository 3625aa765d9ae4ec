import { ErrorResponse, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { bearerOf, type Provider } from './kept-sign-in';
import { paths } from './paths';
import type { Bearer } from './sign-in';

/** Authorization code with PKCE; the bearer is cached in local storage, so that tabs share it. */
export function createUserManager(provider: Provider): UserManager {
  return new UserManager({
    authority: provider.authority,
    client_id: provider.clientId,
    redirect_uri: provider.redirectUri || new URL(paths.authorizing, window.location.origin).href,
    scope: provider.scope,
    response_type: 'code',
    // The API takes no sign-in that is older; a provider with a sign-in of its own then asks for the password again.
    max_age: 12 * 60 * 60,
    userStore: new WebStorageStateStore({ store: window.localStorage }),
    // The sign-in's own state says when (lib/sign-in.ts): the library would take a bearer that ended in a sleep
    // for a session that did, and one that lives for a minute it would renew each second.
    automaticSilentRenew: false,
    monitorSession: false,
  });
}

/** One tab at a time, where the browser can tell (https, or this machine). */
async function exclusively<T>(work: () => Promise<T>): Promise<T> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? await locks.request('parley.renewal', work) : await work();
}

/** Errors of the token endpoint that speak of the provider and not of the sign-in (RFC 6749, 4.1.2.1 and 5.2). */
const passing: ReadonlySet<string | null> = new Set(['server_error', 'temporarily_unavailable', 'slow_down']);

/**
 * Exchanges the refresh token for a newer bearer than the one given. A refresh token may be good only once: tabs
 * do it one after the other, and take what another tab has got meanwhile.
 */
export async function renewSignIn(
  manager: UserManager,
  token: string,
): Promise<Bearer | 'refused' | 'unreached'> {
  const isNewer = (bearer: Bearer): boolean => bearer.token !== token && bearer.expires > Date.now();
  return exclusively(async () => {
    try {
      const kept = await manager.getUser();
      // Another tab has ended the sign-in.
      if (!kept) return 'refused';
      if (isNewer(bearerOf(kept))) return bearerOf(kept);
      const user = await manager.signinSilent();
      return user ? bearerOf(user) : 'refused';
    } catch (error) {
      if (!(error instanceof ErrorResponse) || passing.has(error.error)) return 'unreached';
      // Where tabs cannot wait for each other, another one may have used the refresh token in the meantime.
      const kept = await manager.getUser();
      return kept && isNewer(bearerOf(kept)) ? bearerOf(kept) : 'refused';
    }
  });
}
