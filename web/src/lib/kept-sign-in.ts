import type { User } from 'oidc-client-ts';
import type { Bearer } from './sign-in';

/** What the OIDC library stores about a person in this browser, in its format. */
export interface KeptSignIn extends Readonly<
  Pick<User, 'access_token' | 'id_token' | 'refresh_token' | 'expires_at'>
> {
  readonly profile: Readonly<Pick<User['profile'], 'sub' | 'exp'>>;
}

/** The identity provider, as the server names it. */
export interface Provider {
  readonly authority: string;
  readonly clientId: string;
  readonly scope: string;
  /** The address to which it returns people; empty for this origin. */
  readonly redirectUri: string;
}

/**
 * Tells the other tabs that the person has logged out: without it, they would treat the removal of the sign-in as
 * an involuntary end.
 */
export const logOutKey = 'parley.loggedOut';

const storagePrefix = 'oidc.user:';

/** Whether this browser has a stored sign-in. */
export function holdsSignIn(): boolean {
  return Object.keys(window.localStorage).some((key) => key.startsWith(storagePrefix));
}

/** The key under which the library stores the signed-in person, for all tabs. */
export function keptKey({ authority, clientId }: Provider): string {
  return `${storagePrefix}${authority}:${clientId}`;
}

/**
 * Reads the stored sign-in without the library: pages behind the sign-in need the library only for a renewal.
 * `null` if there is none.
 */
export function readKept(provider: Provider): KeptSignIn | null {
  const text = window.localStorage.getItem(keptKey(provider));
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as Partial<KeptSignIn> | null;
    return typeof kept?.access_token === 'string' && kept.profile !== undefined ? (kept as KeptSignIn) : null;
  } catch {
    // An entry that another program wrote is not a sign-in.
    return null;
  }
}

/**
 * The bearer for the API: a JWT. Some providers issue opaque access tokens; their ID token has the same issuer and
 * audience, but a different expiry.
 */
export function bearerOf(kept: KeptSignIn): Bearer {
  const isJwt = kept.access_token.split('.').length === 3;
  const useIdToken = !isJwt && kept.id_token !== undefined;
  const seconds = useIdToken ? kept.profile.exp : kept.expires_at;
  return {
    token: useIdToken ? (kept.id_token ?? '') : kept.access_token,
    expires: seconds === undefined ? Infinity : seconds * 1000,
    // Without a refresh token the library would renew in an iframe, which the security policy forbids.
    renewable: kept.refresh_token !== undefined,
  };
}

/** Whether the address contains an answer of the provider: a code or an error, with the state of a sign-in. */
export function isProviderAnswer({ search }: Pick<Location, 'search'> = window.location): boolean {
  const said = new URLSearchParams(search);
  const answer = said.get('code') ?? said.get('error');
  return answer !== null && answer !== '' && (said.get('state') ?? '') !== '';
}
