import { describe, expect, it } from 'vitest';
import {
  atFirst,
  dueAt,
  renewPause,
  renewTries,
  stepSignIn,
  tokenNow,
  type Bearer,
  type SignInInput,
} from './sign-in';

const hour = 3_600_000;

/** One sign-in with a clock, and its outputs. */
function setup() {
  const bundle = {
    state: atFirst,
    now: 1_000_000,
    outputs: [] as string[],
    /** Takes a step, and returns its outputs. */
    step(input: SignInInput): string[] {
      const step = stepSignIn(bundle.state, input, { now: bundle.now, random: 0.5 });
      bundle.state = step.state;
      bundle.outputs = step.outputs.map(({ type }) => type);
      return bundle.outputs;
    },
    /** Lets time pass, as with timers that are late after a sleep of the machine. */
    pass(ms: number, type: 'clock' | 'wake' = 'clock'): string[] {
      bundle.now += ms;
      return bundle.step({ type });
    },
    bearer(token: string, life = hour, renewable = true): Bearer {
      return { token, expires: bundle.now + life, renewable };
    },
    hold(token: string, life = hour, renewable = true): string[] {
      return bundle.step({ type: 'held', bearer: bundle.bearer(token, life, renewable) });
    },
    live(life = hour, renewable = true): void {
      bundle.hold('one', life, renewable);
      bundle.step({ type: 'person', answer: 'known' });
    },
    token: () => tokenNow(bundle.state, bundle.now),
  };
  return bundle;
}

describe('a page that is opened', () => {
  it('KnowsNothingAtFirst, and is signed out when nothing was kept', () => {
    const b = setup();
    expect(b.state).toMatchObject({ phase: 'loading', bearer: null });
    b.step({ type: 'nobody' });
    expect(b.state).toEqual({ phase: 'signed-out', after: null });
  });

  it('AsksWhoHoldsTheBearer, once', () => {
    const b = setup();
    expect(b.hold('one')).toEqual(['use-bearer', 'ask-person']);
    expect(b.hold('one')).toEqual([]);
    expect(b.hold('two')).toEqual(['use-bearer']);
    b.step({ type: 'person', answer: 'known' });
    expect(b.state).toMatchObject({ phase: 'live', bearer: { token: 'two' } });
  });

  it('RenewsABearerThatEndedWhileNoPageWasOpen, before anything is asked with it', () => {
    const b = setup();
    expect(b.hold('old', -hour)).toEqual(['renew']);
    expect(b.token()).toBeNull();
    expect(b.hold('new')).toEqual(['use-bearer', 'ask-person']);
    expect(b.state.phase).toBe('loading');
  });

  it('EndsWhenABearerThatEndedCannotBeRenewed', () => {
    const b = setup();
    b.hold('old', -hour, false);
    expect(b.state).toMatchObject({ phase: 'ended', code: 'E401' });
  });

  it.each(['unknown-user', 'failed'] as const)('Stays at %s until it is asked again', (answer) => {
    const b = setup();
    b.hold('one');
    b.step({ type: 'person', answer });
    expect(b.state).toMatchObject({ phase: 'loading', trouble: answer });
    expect(b.hold('two')).toEqual(['use-bearer']);
    expect(b.step({ type: 'ask-again' })).toEqual(['ask-person']);
    expect(b.state).toMatchObject({ phase: 'loading', trouble: null });
  });
});

describe('a live sign-in', () => {
  it.each([
    ['a minute before a bearer of an hour ends', hour, hour - 60_000],
    ['when a third of a bearer of a minute is left', 60_000, 40_000],
  ])('Renews %s', (_, life, at) => {
    const b = setup();
    b.live(life);
    expect(dueAt(b.state)).toBe(b.now + at);
    expect(b.pass(at - 1)).toEqual([]);
    expect(b.pass(1)).toEqual(['renew']);
    // The old bearer is used until the new one has arrived.
    expect(b.token()).toBe('one');
    expect(b.pass(1_000)).toEqual([]);
    expect(b.hold('two')).toEqual(['use-bearer']);
    expect(b.state).toMatchObject({ phase: 'live', bearer: { token: 'two' } });
  });

  it('GoesThroughManyRenewals, and asks who it is only at first', () => {
    const b = setup();
    b.live(60_000);
    for (let count = 0; count < 20; count++) {
      expect(b.pass(40_000)).toEqual(['renew']);
      expect(b.hold(`bearer ${count}`, 60_000)).toEqual(['use-bearer']);
      expect(b.state.phase).toBe('live');
    }
  });

  it('RenewsAfterASleepLongerThanTheBearer, and uses no bearer until then', () => {
    const b = setup();
    b.live();
    expect(b.pass(9 * hour, 'wake')).toEqual(['renew']);
    expect(b.state.phase).toBe('renewing');
    expect(b.token()).toBeNull();
    expect(b.hold('two')).toEqual(['use-bearer']);
    expect(b.state.phase).toBe('live');
  });

  it('TakesOverWhatAnotherTabRenewed', () => {
    const b = setup();
    b.live();
    b.now += 1_000;
    expect(b.hold('two')).toEqual(['use-bearer']);
    expect(b.state).toMatchObject({ phase: 'live', bearer: { token: 'two' } });
    expect(b.hold('older', -1)).toEqual([]);
    expect(b.token()).toBe('two');
  });

  it('EndsWithItsBearerWhereThatCannotBeRenewed, and not before', () => {
    const b = setup();
    b.live(hour, false);
    expect(dueAt(b.state)).toBe(b.now + hour);
    b.pass(hour - 1);
    expect(b.state.phase).toBe('live');
    b.pass(1);
    expect(b.state).toMatchObject({ phase: 'ended', code: 'E401' });
  });

  it('LastsForeverWhereTheProviderNamesNoEnd', () => {
    const b = setup();
    b.live(Infinity);
    expect(dueAt(b.state)).toBeNull();
    b.pass(1_000 * hour);
    expect(b.token()).toBe('one');
  });
});

describe('a bearer that the server refuses', () => {
  it('IsRenewed, whatever its time', () => {
    const b = setup();
    b.live();
    expect(b.step({ type: 'refused', token: 'one' })).toEqual(['renew']);
    expect(b.token()).toBeNull();
    expect(b.hold('two')).toEqual(['use-bearer']);
    expect(b.state.phase).toBe('live');
  });

  it('ChangesNothingWhereANewerOneIsHeld', () => {
    const b = setup();
    b.live();
    b.hold('two');
    expect(b.step({ type: 'refused', token: 'one' })).toEqual([]);
    expect(b.state.phase).toBe('live');
  });

  it('EndsTheSessionWhenTheRenewedOneIsRefusedToo', () => {
    const b = setup();
    b.live();
    b.step({ type: 'refused', token: 'one' });
    b.hold('two');
    b.now += 1_000;
    b.step({ type: 'refused', token: 'two' });
    expect(b.state).toMatchObject({ phase: 'ended', code: 'E401' });
  });

  it('IsRenewedAgainWhenTheRenewedOneWasGoodForAWhile', () => {
    const b = setup();
    b.live();
    b.step({ type: 'refused', token: 'one' });
    b.hold('two');
    b.now += 20_000;
    expect(b.step({ type: 'refused', token: 'two' })).toEqual(['renew']);
  });

  it('CountsAsEndedWhileItIsRenewedAlready', () => {
    const b = setup();
    b.live();
    b.pass(hour - 60_000);
    expect(b.token()).toBe('one');
    expect(b.step({ type: 'refused', token: 'one' })).toEqual([]);
    expect(b.token()).toBeNull();
  });
});

describe('a renewal that fails', () => {
  it('EndsTheSessionWhenTheProviderRefuses', () => {
    const b = setup();
    b.live();
    b.pass(hour - 60_000);
    b.step({ type: 'renewal-failed', because: 'refused' });
    expect(b.state).toMatchObject({ phase: 'ended', code: 'E401' });
  });

  it('IsTriedOnAsLongAsTheBearerLives', () => {
    const b = setup();
    b.live();
    b.pass(hour - 60_000);
    for (let tries = 0; tries < 5; tries++) {
      b.step({ type: 'renewal-failed', because: 'unreached' });
      expect(dueAt(b.state)).toBe(b.now + renewPause);
      expect(b.pass(renewPause)).toEqual(['renew']);
    }
    expect(b.token()).toBe('one');
    expect(b.state).toMatchObject({ failures: 0 });
  });

  it('GivesUpThreeTriesAfterTheBearerHasEnded, and leaves the sign-in as it is', () => {
    const b = setup();
    b.live();
    b.pass(2 * hour, 'wake');
    for (let tries = 0; tries < renewTries; tries++) {
      b.step({ type: 'renewal-failed', because: 'unreached' });
      expect(b.pass(renewPause)).toEqual(['renew']);
    }
    b.step({ type: 'renewal-failed', because: 'unreached' });
    expect(b.state).toMatchObject({ phase: 'ended', code: 'S429' });
  });

  it('IsTriedAtOnceWhenTheMachineIsOnlineAgain, and not twice at a time', () => {
    const b = setup();
    b.live();
    b.pass(2 * hour);
    expect(b.step({ type: 'wake' })).toEqual([]);
    b.step({ type: 'renewal-failed', because: 'unreached' });
    expect(b.step({ type: 'wake' })).toEqual(['renew']);
    expect(b.step({ type: 'wake' })).toEqual([]);
  });

  it('SpreadsTheTriesOfManyPages', () => {
    const [early, late] = [0, 0.999].map((random) => {
      const b = setup();
      b.live();
      b.pass(2 * hour);
      return dueAt(
        stepSignIn(b.state, { type: 'renewal-failed', because: 'unreached' }, { now: 0, random }).state,
      );
    });
    expect(early).toBe(9_000);
    expect(late).toBeCloseTo(11_000, -2);
  });

  it('KeepsWhatWasLearntOfThePersonMeanwhile', () => {
    const b = setup();
    b.hold('one', 30_000);
    b.pass(20_000);
    expect(b.state.phase).toBe('renewing');
    b.step({ type: 'person', answer: 'known' });
    expect(b.hold('two')).toEqual(['use-bearer']);
    expect(b.state.phase).toBe('live');
  });
});

describe('the end', () => {
  it('KeepsTheFirstReason, and takes nothing until the sign-in page is there and all is forgotten', () => {
    const b = setup();
    b.live();
    b.step({ type: 'end', code: 'idle' });
    b.step({ type: 'end', code: 'E401' });
    expect(b.hold('two')).toEqual([]);
    expect(b.token()).toBeNull();
    b.step({ type: 'told' });
    expect(b.state).toMatchObject({ phase: 'ended', code: 'idle' });
    b.step({ type: 'cleared' });
    expect(b.state).toEqual({ phase: 'signed-out', after: 'idle' });
  });

  it('LetsABearerThatIsStillGoodBackIn, and not one that could not be renewed', () => {
    const b = setup();
    b.live();
    b.step({ type: 'end', code: 'S429' });
    b.step({ type: 'cleared' });
    b.step({ type: 'told' });
    expect(b.hold('one', -1)).toEqual([]);
    expect(b.hold('one')).toEqual(['use-bearer', 'ask-person']);
  });

  it('IsNothingToSomebodyWhoIsNotSignedIn', () => {
    const b = setup();
    b.step({ type: 'nobody' });
    b.step({ type: 'end', code: 'E401' });
    expect(b.step({ type: 'refused', token: 'one' })).toEqual([]);
    expect(b.step({ type: 'renewal-failed', because: 'refused' })).toEqual([]);
    expect(b.state).toEqual({ phase: 'signed-out', after: null });
  });
});
