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
    // The API does not accept an older sign-in; a provider with its own session then asks for the password again.
    max_age: 12 * 60 * 60,
    userStore: new WebStorageStateStore({ store: window.localStorage }),
    // The state of the sign-in decides when (lib/sign-in.ts): the library would treat a bearer that expired during
    // a sleep of the machine as an ended session, and would renew a bearer with a life of a minute each second.
    automaticSilentRenew: false,
    monitorSession: false,
  });
}

/** Runs in one tab at a time, if the browser supports locks (https, or localhost). */
async function exclusively<T>(work: () => Promise<T>): Promise<T> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? await locks.request('parley.renewal', work) : await work();
}

/** Errors of the token endpoint that concern the provider and not the sign-in (RFC 6749, 4.1.2.1 and 5.2). */
const passing: ReadonlySet<string | null> = new Set(['server_error', 'temporarily_unavailable', 'slow_down']);

/**
 * Exchanges the refresh token for a newer bearer than the one given. A refresh token may be valid only once: tabs
 * do it one after the other, and use the bearer that another tab has received meanwhile.
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
      // If tabs cannot wait for each other, another tab may have used the refresh token in the meantime.
      const kept = await manager.getUser();
      return kept && isNewer(bearerOf(kept)) ? bearerOf(kept) : 'refused';
    }
  });
}
