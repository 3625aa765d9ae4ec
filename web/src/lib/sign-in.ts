/**
 * Why a session ended, by the codes of the sign-in page's catalogue. `signed-out`: the person signed out, here or
 * in another tab; `elsewhere`: the session ended involuntarily in another tab.
 */
export type EndCode = 'E401' | 'U401' | 'S429' | 'idle' | 'signed-out' | 'elsewhere';

/** The API's proof of the sign-in. Times are of this machine's clock, in milliseconds. */
export interface Bearer {
  token: string;
  /** `Infinity` if the provider does not say. */
  expires: number;
  /** The provider issued a refresh token with it. */
  renewable: boolean;
}

/** A bearer in use. */
export interface HeldBearer extends Bearer {
  /** When it was received. */
  since: number;
  renewAt: number;
  /** It was obtained by a renewal. If the API refuses even this one, the sign-in itself is over. */
  renewed: boolean;
}

/** The page is asking the server who the person is, or could not reach it. */
export interface Loading {
  phase: 'loading';
  /** `null` while the page still reads the stored sign-in. */
  bearer: HeldBearer | null;
  asked: boolean;
  /** `unknown-user`: the identity provider knows the person, the app does not. */
  trouble: 'unknown-user' | 'failed' | null;
}

export interface Live {
  phase: 'live';
  bearer: HeldBearer;
}

export interface Renewing {
  phase: 'renewing';
  /** The old bearer, which may still be valid. */
  bearer: HeldBearer;
  /** The state to which the sign-in returns with the new bearer. */
  before: Loading | Live;
  /** The number of failed tries after the old bearer had expired. */
  failures: number;
  /** When the next try is due; `null` while one is running. */
  again: number | null;
}

/** The whole life of a sign-in. At each moment it is exactly one of these. */
export type SignIn =
  /** `after`: how the previous sign-in ended on this page. */
  | { phase: 'signed-out'; after: EndCode | null }
  | Loading
  | Live
  | Renewing
  /** `cleared`: all data of the person are cleared. `told`: the sign-in page is shown. */
  | { phase: 'ended'; code: EndCode; cleared: boolean; told: boolean };

export type SignInInput =
  /** The page has this bearer: stored from before, new from the provider, renewed, or from another tab. */
  | { type: 'held'; bearer: Bearer }
  /** The page has none. */
  | { type: 'nobody' }
  | { type: 'person'; answer: 'known' | 'unknown-user' | 'failed' }
  /** The user retries after `failed`. */
  | { type: 'ask-again' }
  /** Time has passed. */
  | { type: 'clock' }
  /** The machine woke up, is online again, or the page is shown again. */
  | { type: 'wake' }
  /** The API or the stream (4402) does not accept this bearer any more. */
  | { type: 'refused'; token: string }
  /** The provider refused (`refused`), or did not answer. */
  | { type: 'renewal-failed'; because: 'refused' | 'unreached' }
  | { type: 'end'; code: EndCode }
  | { type: 'cleared' }
  | { type: 'told' }
  /** The user leaves a sign-in that the app does not know. */
  | { type: 'forget' };

export type SignInOutput =
  /** All later calls, and the stream, use the current bearer. */
  { type: 'use-bearer' } | { type: 'ask-person' } | { type: 'renew' };

/** The inputs of a step from its environment. `random` is from 0 up to 1. */
export interface Moment {
  now: number;
  random: number;
}

export interface SignInStep {
  state: SignIn;
  outputs: readonly SignInOutput[];
}

/** A bearer is renewed a minute before it expires, or when a third of a shorter life is left. */
const renewBefore = 60_000;
/** The pause between tries to renew, and the tries after the first one once the bearer has expired: document 2, 4. */
export const renewPause = 10_000;
export const renewTries = 3;
/** A renewed bearer that is refused within this time shows that the sign-in is over, and not only the bearer. */
const refusedTooSoon = 10_000;

export const atFirst: SignIn = { phase: 'loading', bearer: null, asked: false, trouble: null };

function take(bearer: Bearer, now: number, renewed: boolean): HeldBearer {
  const renewAt = bearer.expires - Math.min(renewBefore, Math.max(0, bearer.expires - now) / 3);
  return { ...bearer, since: now, renewAt, renewed };
}

/** The current bearer, even if it has expired. */
export function currentBearer(state: SignIn): HeldBearer | null {
  return state.phase === 'signed-out' || state.phase === 'ended' ? null : state.bearer;
}

/** The token that is valid now; `null` while there is none. */
export function tokenNow(state: SignIn, now: number): string | null {
  const bearer = currentBearer(state);
  return bearer && now < bearer.expires ? bearer.token : null;
}

/** When this state must react to the clock; `null` if time does not change it. */
export function dueAt(state: SignIn): number | null {
  const bearer = currentBearer(state);
  if (!bearer) return null;
  const at = state.phase === 'renewing' ? state.again : bearer.renewable ? bearer.renewAt : bearer.expires;
  return at === Infinity ? null : at;
}

function stay(state: SignIn): SignInStep {
  return { state, outputs: [] };
}

function end(code: EndCode): SignInStep {
  return stay({ phase: 'ended', code, cleared: false, told: false });
}

function renew(before: Loading | Live, bearer: HeldBearer): SignInStep {
  if (!bearer.renewable) return end('E401');
  return {
    state: { phase: 'renewing', bearer, before, failures: 0, again: null },
    outputs: [{ type: 'renew' }],
  };
}

/** Continues with a valid bearer, and asks who the person is if that has not been asked yet. */
function goOn(before: Loading | Live, bearer: HeldBearer): SignInStep {
  if (before.phase === 'live' || before.asked) {
    return { state: { ...before, bearer }, outputs: [{ type: 'use-bearer' }] };
  }
  return {
    state: { ...before, bearer, asked: true, trouble: null },
    outputs: [{ type: 'use-bearer' }, { type: 'ask-person' }],
  };
}

function held(state: SignIn, given: Bearer, now: number): SignInStep {
  const ended = given.expires <= now;
  if (state.phase === 'ended') return stay(state);
  // It ended because it could not be renewed; the person must use the sign-in page now.
  if (state.phase === 'signed-out' && state.after !== null && ended) return stay(state);
  const holder = currentBearer(state);
  if (state.phase === 'signed-out' || !holder) {
    const bearer = take(given, now, false);
    const first: Loading = { phase: 'loading', bearer: null, asked: false, trouble: null };
    return ended ? renew(first, bearer) : goOn(first, bearer);
  }
  if (ended || given.token === holder.token) return stay(state);
  return state.phase === 'renewing'
    ? goOn(state.before, take(given, now, true))
    : goOn(state, take(given, now, false));
}

function person(state: SignIn, answer: 'known' | 'unknown-user' | 'failed'): SignInStep {
  if (state.phase === 'renewing') {
    const before = person(state.before, answer).state as Loading | Live;
    return stay({ ...state, before });
  }
  if (state.phase !== 'loading' || state.bearer === null) return stay(state);
  return answer === 'known'
    ? stay({ phase: 'live', bearer: state.bearer })
    : stay({ ...state, trouble: answer });
}

function refused(state: SignIn, token: string, now: number): SignInStep {
  const bearer = currentBearer(state);
  // An older bearer was refused: there is a newer one already, and the refused call is sent again with it.
  if (bearer?.token !== token) return stay(state);
  const spent = { ...bearer, expires: Math.min(bearer.expires, now) };
  if (state.phase === 'renewing') return stay({ ...state, bearer: spent });
  if (state.phase !== 'loading' && state.phase !== 'live') return stay(state);
  if (bearer.renewed && now - bearer.since < refusedTooSoon) return end('E401');
  return renew(state, spent);
}

function renewalFailed(
  state: Renewing,
  because: 'refused' | 'unreached',
  { now, random }: Moment,
): SignInStep {
  if (because === 'refused') return end('E401');
  const failures = now < state.bearer.expires ? 0 : state.failures + 1;
  // No one has said that the sign-in is over; the provider could just not be reached.
  if (failures > renewTries) return end('S429');
  return stay({ ...state, failures, again: now + renewPause * (0.9 + 0.2 * random) });
}

function timePassed(state: SignIn, awake: boolean, now: number): SignInStep {
  const due = dueAt(state);
  if (state.phase === 'renewing') {
    if (state.again === null || (!awake && now < state.again)) return stay(state);
    return { state: { ...state, again: null }, outputs: [{ type: 'renew' }] };
  }
  if ((state.phase !== 'loading' && state.phase !== 'live') || state.bearer === null) return stay(state);
  return due === null || now < due ? stay(state) : renew(state, state.bearer);
}

/** Advances the sign-in by one step. It is a pure function: the required actions are in the outputs. */
export function stepSignIn(state: SignIn, input: SignInInput, moment: Moment): SignInStep {
  switch (input.type) {
    case 'held':
      return held(state, input.bearer, moment.now);
    case 'nobody':
      return state.phase === 'loading' && state.bearer === null
        ? stay({ phase: 'signed-out', after: null })
        : stay(state);
    case 'person':
      return person(state, input.answer);
    case 'ask-again':
      if (state.phase !== 'loading' || state.bearer === null) return stay(state);
      return { state: { ...state, asked: true, trouble: null }, outputs: [{ type: 'ask-person' }] };
    case 'clock':
    case 'wake':
      return timePassed(state, input.type === 'wake', moment.now);
    case 'refused':
      return refused(state, input.token, moment.now);
    case 'renewal-failed':
      return state.phase === 'renewing' ? renewalFailed(state, input.because, moment) : stay(state);
    case 'end':
      // The first reason is kept: later ones are its consequences.
      return state.phase === 'ended' || state.phase === 'signed-out' ? stay(state) : end(input.code);
    case 'cleared':
    case 'told': {
      if (state.phase !== 'ended') return stay(state);
      const next = { ...state, [input.type]: true };
      return stay(next.cleared && next.told ? { phase: 'signed-out', after: state.code } : next);
    }
    case 'forget':
      return stay({ phase: 'signed-out', after: null });
  }
}
