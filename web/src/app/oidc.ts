import { ErrorResponse, UserManager, WebStorageStateStore, type User } from 'oidc-client-ts';
import { authorizingPath, isSignInPage, paths } from '@/lib/paths';
import type { Bearer } from '@/lib/sign-in';
import { logOutKey } from '@/stores/me-store';

interface OidcConfig {
  readonly oidc: {
    readonly authority: string;
    readonly clientId: string;
    readonly scope: string;
    readonly redirectUri: string;
  };
}

/** Authorization code with PKCE; the bearer is cached in local storage, so that tabs share it. */
export function createUserManager({ oidc }: OidcConfig): UserManager {
  return new UserManager({
    authority: oidc.authority,
    client_id: oidc.clientId,
    redirect_uri: oidc.redirectUri || new URL(paths.authorizing, window.location.origin).href,
    scope: oidc.scope,
    response_type: 'code',
    // The API takes no sign-in that is older; a provider with a sign-in of its own then asks anew.
    max_age: 12 * 60 * 60,
    userStore: new WebStorageStateStore({ store: window.localStorage }),
    // The sign-in's own state says when (lib/sign-in.ts): the library would take a bearer that ended in a sleep
    // for a session that did, and one that lives for a minute it would renew each second.
    automaticSilentRenew: false,
    monitorSession: false,
  });
}

const storagePrefix = 'oidc.user:';

/** Whether this browser holds anybody's sign-in. */
function holdsSignIn(): boolean {
  return Object.keys(window.localStorage).some((key) => key.startsWith(storagePrefix));
}

/**
 * Goes to the sign-in at once where this browser holds none, before any page is asked for: else the pages inside
 * would be loaded to find that out.
 */
export function signInFirst(): void {
  const { pathname, search, hash } = window.location;
  if (holdsSignIn() || isSignInPage(pathname)) return;
  window.history.replaceState(null, '', authorizingPath(pathname + search + hash));
}

/** Where the library keeps the signed-in person, for all tabs. */
function storageKey(manager: UserManager): string {
  return `${storagePrefix}${manager.settings.authority}:${manager.settings.client_id}`;
}

/**
 * Hears what another tab does to the sign-in that they share: a renewed bearer is taken over, for a
 * refresh token may be good only once, a log-out there is one here, and so is an end that nobody
 * wanted. Returns what stops it.
 */
export function followOtherTabs(
  manager: UserManager,
  onEnd: (code: 'signed-out' | 'elsewhere') => void,
): () => void {
  const listen = (event: StorageEvent): void => {
    if (event.key === logOutKey) onEnd('signed-out');
    if (event.key !== storageKey(manager)) return;
    if (event.newValue === null) {
      onEnd('elsewhere');
      return;
    }
    void manager.getUser().then((user) => user && manager.events.load(user));
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}

/**
 * What the API takes: a JWT. Some providers hand out opaque access tokens; their ID token carries the same issuer
 * and audience, and ends at a time of its own.
 */
export function bearerOf(user: User): Bearer {
  const isJwt = user.access_token.split('.').length === 3;
  const useIdToken = !isJwt && user.id_token !== undefined;
  const seconds = useIdToken ? user.profile.exp : user.expires_at;
  return {
    token: useIdToken ? (user.id_token ?? '') : user.access_token,
    expires: seconds === undefined ? Infinity : seconds * 1000,
    // Without a refresh token the library would renew in a frame, which the security policy forbids.
    renewable: user.refresh_token !== undefined,
  };
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
