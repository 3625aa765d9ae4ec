import { proxy } from 'valtio';
import { setBearer, setUnauthenticatedHandler } from '@/api/client';
import { ApiError, messageOfCode } from '@/api/errors';
import type { User } from '@/lib/wire';
import { getMe, keepAlive, logOut as tellServer } from '@/api/user';
import type { DeepReadonly } from '@/lib/deep-readonly';

/**
 * Why a session ended, in the words of the sign-in page's catalogue. `signed-out` is what the person
 * wanted, here or in another tab; `elsewhere`, what another tab met with.
 */
export type EndCode = 'E401' | 'U401' | 'S429' | 'idle' | 'signed-out' | 'elsewhere';

/** Tells the other tabs that the person has logged out: without it the sign-in that goes has ended by itself. */
export const logOutKey = 'parley.loggedOut';

/** Who is signed in here. */
interface MeState {
  /** `unknown-user`: the identity provider knows the person, the app does not. */
  phase: 'signed-out' | 'loading' | 'ready' | 'unknown-user' | 'failed';
  user: User | null;
  /** Set when the session ended by itself; the app shell then goes to the sign-in page. */
  ended: EndCode | null;
  /** A session was ended here: the provider is to ask who it is, and not to answer from a sign-in of its own. */
  askAnew: boolean;
}

const state = proxy<MeState>({ phase: 'signed-out', user: null, ended: null, askAnew: false });

export const meState: DeepReadonly<MeState> = state;

/** Ends the session on this side. The first reason stands: what follows is its consequence. */
export function endSession(code: EndCode): void {
  state.ended ??= code;
  // A line that was down says nothing about the sign-in.
  if (code !== 'S429') state.askAnew = true;
}

/** Ends the session here and on the server, where none of its bearers is worth anything afterwards. */
export function logOut(): void {
  tellServer();
  localStorage.setItem(logOutKey, String(Date.now()));
  endSession('signed-out');
}

/** Takes the bearer of a fresh sign-in, or of a silent renewal, and asks who that is. */
export async function signIn(bearer: string): Promise<void> {
  setBearer(bearer);
  setUnauthenticatedHandler(() => endSession('E401'));
  // A refusal or a failure stands until somebody asks for another try.
  if (state.phase !== 'signed-out') return;
  await loadMe();
}

/** Asks again who is signed in, after a failure. */
export async function loadMe(): Promise<void> {
  state.phase = 'loading';
  try {
    state.user = await getMe();
    state.phase = 'ready';
    state.askAnew = false;
  } catch (error) {
    // Any refusal of user/me means that the app has no such person; a missing answer says nothing of them.
    state.phase = error instanceof ApiError && error.status === 403 ? 'unknown-user' : 'failed';
  }
}

/** Forgets the person, here only. */
export function signOut(): void {
  setBearer(null);
  state.phase = 'signed-out';
  state.user = null;
}

/** The sign-in page is there. Until then the reason stands, so that no guard sends the person elsewhere. */
export function acknowledgeEnd(): void {
  state.ended = null;
}

/** Tells the server that the person is still there. */
export async function sendKeepAlive(): Promise<void> {
  try {
    await keepAlive();
  } catch (error) {
    // Without any answer the line is down, and the stream's own retries decide what follows.
    if (error instanceof ApiError && error.status === 0) return;
    endSession('E401');
  }
}

/** The sentence for a code that the sign-in page was given. */
export function explainCode(code: string): string {
  return messageOfCode(code);
}
