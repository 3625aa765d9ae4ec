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

/** The stored sign-in of the identity provider in this browser. */
interface IdentityState {
  /** The stored sign-in, or the provider's answer in the address, has been read. */
  settled: boolean;
  /** The provider's answer was a refusal, or invalid. */
  failed: boolean;
  kept: KeptSignIn | null;
}

const state = proxy<IdentityState>({ settled: false, failed: false, kept: null });

export const identityState: DeepReadonly<IdentityState> = state;

/**
 * The library and its manager: 18 kB that pages behind the sign-in need only for a renewal, and the sign-in page to
 * open the provider's page.
 */
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
    // A failed load is tried again on the next call.
    coming.catch(() => (surroundings.library = null));
  }
  return surroundings.library;
}

/** Loads the library before it is needed: at the time of a renewal there may be no network, or a new release. */
export async function preloadLibrary(): Promise<void> {
  // A caller that needs it loads it again, and reports the failure then.
  await library().catch(() => undefined);
}

function hold(kept: KeptSignIn | null): void {
  state.kept = kept && ref(kept);
}

/** Reads the provider's answer in the address, else the stored sign-in. */
export async function openIdentity(provider: Provider): Promise<void> {
  // An answer can be used only once: React runs effects twice in development.
  if (surroundings.provider === provider) return;
  surroundings.provider = provider;
  surroundings.library = null;
  Object.assign(state, { settled: false, failed: false, kept: null });
  try {
    // The library checks the state of the sign-in that began here, exchanges the code, and stores the user.
    if (isProviderAnswer()) await (await library()).manager.signinCallback();
    hold(readKept(provider));
  } catch {
    state.failed = true;
  }
  state.settled = true;
}

/** Opens the provider's own page. It rejects if the provider cannot be reached. */
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

/** Ends the sign-in in this browser, and therefore in its other tabs. */
export function forgetIdentity(): void {
  const { provider } = surroundings;
  if (provider) window.localStorage.removeItem(keptKey(provider));
  hold(null);
}

/**
 * Follows changes by other tabs to the shared sign-in: a renewed bearer is used here too, because a refresh token
 * may be valid only once; a log-out there ends the session here, and so does an involuntary end. Returns a function
 * to stop.
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
