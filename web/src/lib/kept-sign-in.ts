import type { User } from 'oidc-client-ts';
import type { Bearer } from './sign-in';

/** What the sign-in's library keeps of a person in this browser, as it writes it. */
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
  /** Where it sends people back to; empty for this origin. */
  readonly redirectUri: string;
}

/** Tells the other tabs that the person has logged out: without it the sign-in that goes has ended by itself. */
export const logOutKey = 'parley.loggedOut';

const storagePrefix = 'oidc.user:';

/** Whether this browser holds anybody's sign-in. */
export function holdsSignIn(): boolean {
  return Object.keys(window.localStorage).some((key) => key.startsWith(storagePrefix));
}

/** Where the library keeps the signed-in person, for all tabs. */
export function keptKey({ authority, clientId }: Provider): string {
  return `${storagePrefix}${authority}:${clientId}`;
}

/** Reads what is kept, without the library: a page inside needs that for a renewal alone. `null` where nothing is. */
export function readKept(provider: Provider): KeptSignIn | null {
  const text = window.localStorage.getItem(keptKey(provider));
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as Partial<KeptSignIn> | null;
    return typeof kept?.access_token === 'string' && kept.profile !== undefined ? (kept as KeptSignIn) : null;
  } catch {
    // What somebody else wrote there is no sign-in.
    return null;
  }
}

/**
 * What the API takes: a JWT. Some providers hand out opaque access tokens; their ID token carries the same issuer
 * and audience, and ends at a time of its own.
 */
export function bearerOf(kept: KeptSignIn): Bearer {
  const isJwt = kept.access_token.split('.').length === 3;
  const useIdToken = !isJwt && kept.id_token !== undefined;
  const seconds = useIdToken ? kept.profile.exp : kept.expires_at;
  return {
    token: useIdToken ? (kept.id_token ?? '') : kept.access_token,
    expires: seconds === undefined ? Infinity : seconds * 1000,
    // Without a refresh token the library would renew in a frame, which the security policy forbids.
    renewable: kept.refresh_token !== undefined,
  };
}

/** Whether the address is an answer of the provider: a code or an error, each with the state of a sign-in. */
export function isProviderAnswer({ search }: Pick<Location, 'search'> = window.location): boolean {
  const said = new URLSearchParams(search);
  const answer = said.get('code') ?? said.get('error');
  return answer !== null && answer !== '' && (said.get('state') ?? '') !== '';
}
