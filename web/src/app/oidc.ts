import { WebStorageStateStore, type User } from 'oidc-client-ts';
import type { AuthProviderProps } from 'react-oidc-context';
import { paths } from '@/lib/paths';

interface OidcConfig {
  readonly oidc: {
    readonly authority: string;
    readonly clientId: string;
    readonly scope: string;
    readonly redirectUri: string;
  };
}

/** Authorization code with PKCE; the bearer is cached in local storage, so that tabs share it. */
export function oidcSettings({ oidc }: OidcConfig): AuthProviderProps {
  return {
    authority: oidc.authority,
    client_id: oidc.clientId,
    redirect_uri: oidc.redirectUri || new URL(paths.authorizing, window.location.origin).href,
    scope: oidc.scope,
    response_type: 'code',
    userStore: new WebStorageStateStore({ store: window.localStorage }),
    // Without a refresh token the library would renew in a frame, which the security policy forbids.
    automaticSilentRenew: oidc.scope.split(' ').includes('offline_access'),
    monitorSession: false,
  };
}

/**
 * The token that the API takes: a JWT. Some providers hand out opaque access tokens; their ID token
 * carries the same issuer and audience.
 */
export function bearerOf(user: User): string {
  const isJwt = user.access_token.split('.').length === 3;
  return isJwt ? user.access_token : (user.id_token ?? user.access_token);
}
