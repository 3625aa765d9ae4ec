import { proxy, ref } from 'valtio';
import { setBearer, setRefusedHandler } from '@/api/client';
import { ApiError, messageOfCode } from '@/api/errors';
import { getMe, keepAlive, logOut as tellServer } from '@/api/user';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { logOutKey } from '@/lib/kept-sign-in';
import {
  atFirst,
  dueAt,
  currentBearer,
  stepSignIn,
  tokenNow,
  type Bearer,
  type EndCode,
  type SignIn,
  type SignInInput,
  type SignInOutput,
} from '@/lib/sign-in';
import type { User } from '@/lib/wire';

/** The person who is signed in here. */
interface MeState {
  /** The state of the sign-in; only `signInStep` changes it. */
  signIn: SignIn;
  user: User | null;
  /** A session ended here: the provider must ask the person to sign in, and not use its own session. */
  askAnew: boolean;
}

/** Returns a newer bearer, or why there is none: the provider refused, or could not be reached. */
export type Renewer = (token: string) => Promise<Bearer | 'refused' | 'unreached'>;

const state = proxy<MeState>({ signIn: ref(atFirst), user: null, askAnew: false });

export const meState: DeepReadonly<MeState> = state;

/** What the sign-in uses in addition to its state. Only the functions of this file write it. */
const surroundings: {
  renew: Renewer;
  /** Called when there is a newer bearer. */
  onBearer: () => void;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Calls that wait until a renewal has succeeded or failed. */
  waiting: (() => void)[];
  /** Counts the requests for the user; an answer to an older one is dropped. */
  asked: number;
} = {
  renew: () => Promise.resolve('unreached'),
  onBearer: () => undefined,
  timer: undefined,
  waiting: [],
  asked: 0,
};

/** Timers stop while a machine sleeps, so the clock is read at least this often. */
const longestTimer = 15_000;

/** Advances the sign-in by one step, and performs its outputs. */
export function signInStep(input: SignInInput): void {
  const step = stepSignIn(state.signIn, input, { now: Date.now(), random: Math.random() });
  if (step.state === state.signIn) return;
  const before = state.signIn;
  state.signIn = ref(step.state);
  if (step.state.phase === 'ended' && before.phase !== 'ended') {
    // If only the connection was lost, the sign-in may still be valid.
    if (step.state.code !== 'S429') state.askAnew = true;
  }
  if (step.state.phase === 'live') state.askAnew = false;
  if (step.state.phase === 'signed-out') {
    setBearer(null);
    state.user = null;
    surroundings.asked++;
  }
  for (const output of step.outputs) perform(output);
  watchTheClock();
  if (state.signIn.phase === 'renewing') return;
  for (const goOn of surroundings.waiting.splice(0)) goOn();
}

function perform(output: SignInOutput): void {
  const bearer = currentBearer(state.signIn);
  if (!bearer) return;
  switch (output.type) {
    case 'use-bearer':
      setBearer(bearer.token);
      surroundings.onBearer();
      return;
    case 'ask-person':
      void askPerson();
      return;
    case 'renew':
      void renew(bearer.token);
  }
}

async function askPerson(): Promise<void> {
  const count = ++surroundings.asked;
  try {
    const user = await getMe();
    if (count !== surroundings.asked) return;
    state.user = user;
    signInStep({ type: 'person', answer: 'known' });
  } catch (error) {
    if (count !== surroundings.asked) return;
    // Any refusal of user/me means that the app does not know the person; a missing answer means nothing.
    const unknown = error instanceof ApiError && error.status === 403;
    signInStep({ type: 'person', answer: unknown ? 'unknown-user' : 'failed' });
  }
}

async function renew(token: string): Promise<void> {
  const answer = await surroundings.renew(token).catch(() => 'unreached' as const);
  if (answer === 'refused' || answer === 'unreached') {
    signInStep({ type: 'renewal-failed', because: answer });
  } else {
    signInStep({ type: 'held', bearer: answer });
  }
}

function watchTheClock(): void {
  clearTimeout(surroundings.timer);
  const due = dueAt(state.signIn);
  if (due === null) return;
  const pause = Math.min(Math.max(due - Date.now(), 0), longestTimer);
  surroundings.timer = setTimeout(() => {
    signInStep({ type: 'clock' });
    watchTheClock();
  }, pause);
}

/** Sets how a bearer is renewed. */
export function renewWith(renewer: Renewer): void {
  surroundings.renew = renewer;
}

/** Sets the handler that is called when there is a newer bearer. */
export function onNewBearer(handler: () => void): void {
  surroundings.onBearer = handler;
}

/** The bearer that is valid now; `null` while one is being renewed, or there is none. */
export function bearerNow(): string | null {
  // Timers may be late after a sleep.
  signInStep({ type: 'clock' });
  return tokenNow(state.signIn, Date.now());
}

/** Called when the server refuses this bearer. Resolves to whether there is a newer one for a retry. */
export async function bearerRefused(token: string): Promise<boolean> {
  signInStep({ type: 'refused', token });
  if (state.signIn.phase === 'renewing') {
    await new Promise<void>((resolve) => surroundings.waiting.push(resolve));
  }
  const now = tokenNow(state.signIn, Date.now());
  return now !== null && now !== token;
}

setRefusedHandler(bearerRefused);

/** Ends the session in the browser. The first reason is kept: later ones are its consequences. */
export function endSession(code: EndCode): void {
  signInStep({ type: 'end', code });
}

/** Ends the session here and on the server, where all of its bearers become invalid. */
export function logOut(): void {
  tellServer();
  localStorage.setItem(logOutKey, String(Date.now()));
  endSession('signed-out');
}

/** Asks again who is signed in, after a failure. */
export function loadMe(): void {
  signInStep({ type: 'ask-again' });
}

/** Tells the server that the person is still there. */
export async function sendKeepAlive(): Promise<void> {
  try {
    await keepAlive();
  } catch (error) {
    // Only an answer about the person ends the session. Otherwise the connection is lost, or the server has a
    // problem, and the retries of the stream decide what happens.
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) endSession('E401');
  }
}

/** The message for a code of the sign-in page. */
export function explainCode(code: string): string {
  return messageOfCode(code);
}
