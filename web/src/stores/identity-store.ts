import type { UserManager } from 'oidc-client-ts';
import { proxy, ref } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';
import {
  isProviderAnswer,
  keptKey,
  logOutKey,
  readKept,
  type KeptSignIn,
  type Provider,
} from '@/lib/kept-sign-in';
import type { Bearer } from '@/lib/sign-in';

/** What this browser holds of the identity provider. */
interface IdentityState {
  /** What was kept of a sign-in, or the provider's answer in the address, has been read. */
  settled: boolean;
  /** The provider's answer was a refusal, or broken. */
  failed: boolean;
  kept: KeptSignIn | null;
}

const state = proxy<IdentityState>({ settled: false, failed: false, kept: null });

export const identityState: DeepReadonly<IdentityState> = state;

/** The library and its manager: 18 kB that a page inside needs for a renewal alone, and the sign-in page for leaving. */
interface Library {
  manager: UserManager;
  renew: (token: string) => Promise<Bearer | 'refused' | 'unreached'>;
}

const surroundings: { provider: Provider | null; library: Promise<Library> | null } = {
  provider: null,
  library: null,
};

async function load(provider: Provider): Promise<Library> {
  const { createUserManager, renewSignIn } = await import('@/lib/oidc');
  const manager = createUserManager(provider);
  return { manager, renew: (token) => renewSignIn(manager, token) };
}

function library(): Promise<Library> {
  const { provider } = surroundings;
  if (!provider) return Promise.reject(new Error('the provider is not known yet'));
  if (surroundings.library === null) {
    const coming = load(provider);
    surroundings.library = coming;
    // What could not be fetched is asked for again.
    coming.catch(() => (surroundings.library = null));
  }
  return surroundings.library;
}

/** Has the library here before it is needed: a renewal may fall into a time without network, or after a new release. */
export async function preloadLibrary(): Promise<void> {
  // A caller that needs it loads it again, and reports the failure then.
  await library().catch(() => undefined);
}

function hold(kept: KeptSignIn | null): void {
  state.kept = kept && ref(kept);
}

/** Takes over what the provider has answered in the address, else what is kept of an earlier sign-in. */
export async function openIdentity(provider: Provider): Promise<void> {
  // An answer is good once: React runs effects twice while one develops.
  if (surroundings.provider === provider) return;
  surroundings.provider = provider;
  surroundings.library = null;
  Object.assign(state, { settled: false, failed: false, kept: null });
  try {
    // The library wants the state of the sign-in that began here, exchanges the code, and keeps who it is.
    if (isProviderAnswer()) await (await library()).manager.signinCallback();
    hold(readKept(provider));
  } catch {
    state.failed = true;
  }
  state.settled = true;
}

/** Leaves for the provider's own page. It rejects where that cannot be reached. */
export async function goToProvider(askAnew: boolean): Promise<void> {
  const { manager } = await library();
  await manager.signinRedirect(askAnew ? { prompt: 'login' } : undefined);
}

/** Exchanges the refresh token for a newer bearer. */
export async function renewIdentity(token: string): Promise<Bearer | 'refused' | 'unreached'> {
  const answer = await (await library()).renew(token);
  if (typeof answer !== 'string' && surroundings.provider) hold(readKept(surroundings.provider));
  return answer;
}

/** Ends the sign-in in this browser, and so in its other tabs. */
export function forgetIdentity(): void {
  const { provider } = surroundings;
  if (provider) window.localStorage.removeItem(keptKey(provider));
  hold(null);
}

/**
 * Hears what another tab does to the sign-in that they share: a renewed bearer is taken over, for a
 * refresh token may be good only once, a log-out there is one here, and so is an end that nobody
 * wanted. Returns what stops it.
 */
export function followOtherTabs(onEnd: (code: 'signed-out' | 'elsewhere') => void): () => void {
  const listen = (event: StorageEvent): void => {
    const { provider } = surroundings;
    if (event.key === logOutKey) onEnd('signed-out');
    if (!provider || event.key !== keptKey(provider)) return;
    if (event.newValue === null) {
      onEnd('elsewhere');
      return;
    }
    const kept = readKept(provider);
    if (kept) hold(kept);
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
