import { UserManager, WebStorageStateStore, type User } from 'oidc-client-ts';
import { paths } from '@/lib/paths';
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
    // Without a refresh token the library would renew in a frame, which the security policy forbids.
    automaticSilentRenew: oidc.scope.split(' ').includes('offline_access'),
    monitorSession: false,
  });
}

/** Where the library keeps the signed-in person, for all tabs. */
function storageKey(manager: UserManager): string {
  return `oidc.user:${manager.settings.authority}:${manager.settings.client_id}`;
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
 * The token that the API takes: a JWT. Some providers hand out opaque access tokens; their ID token
 * carries the same issuer and audience.
 */
export function bearerOf(user: User): string {
  const isJwt = user.access_token.split('.').length === 3;
  return isJwt ? user.access_token : (user.id_token ?? user.access_token);
}
