import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call, getBearer } from '@/api/client';
import { path } from '@/api/path';
import { ada } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { bearer, nobody, signIn } from '@/testing/sign-in';
import {
  bearerNow,
  endSession,
  logOut,
  meState,
  onNewBearer,
  renewWith,
  sendKeepAlive,
  signInStep,
  type Renewer,
} from './me-store';
import { eventually } from '@/testing/eventually';

function answerMe(answer: () => Response): void {
  server.use(http.get(api('user/me'), answer));
}

/** A server that accepts only one bearer, and records those that it received. */
function takesOnly(good: () => string): string[] {
  const shown: string[] = [];
  server.use(
    http.get(api('thing'), ({ request }) => {
      const token = request.headers.get('Authorization')?.replace('Bearer ', '') ?? '';
      shown.push(token);
      return token === good() ? HttpResponse.json({ fine: true }) : problem(401, 'E401', '');
    }),
  );
  return shown;
}

function renewer(answer: Renewer) {
  const renew = vi.fn(answer);
  renewWith(renew);
  return renew;
}

const phase = () => meState.signIn.phase;

beforeEach(() => {
  nobody();
  onNewBearer(() => undefined);
  renewer(() => Promise.resolve('refused'));
});

describe('signInStep', () => {
  it('LearnsWhoItIs', async () => {
    answerMe(() => HttpResponse.json(ada));
    await signIn();
    expect(phase()).toBe('live');
    expect(meState.user?.fullName).toBe('Ada Lindqvist');
  });

  it('TakesARenewedBearerWithoutAskingAgain, and tells the stream', async () => {
    let calls = 0;
    answerMe(() => {
      calls++;
      return HttpResponse.json(ada);
    });
    const changed = vi.fn();
    await signIn('one');
    onNewBearer(changed);
    await signIn('two');
    expect(calls).toBe(1);
    expect(getBearer()).toBe('two');
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('TellsAnUnknownPersonFromABrokenServer', async () => {
    answerMe(() => problem(403, 'U401', 'Unknown'));
    await signIn();
    expect(meState.signIn).toMatchObject({ trouble: 'unknown-user' });
    nobody();
    answerMe(() => problem(500, 'I500', 'Broken'));
    await signIn();
    expect(meState.signIn).toMatchObject({ trouble: 'failed' });
  });

  it('DoesNotTakeWhatIsSaidOfAnEarlierSignIn', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const answered = vi.fn();
    server.use(
      http.get(api('user/me'), async () => {
        await held;
        answered();
        return HttpResponse.json(ada);
      }),
    );
    signInStep({ type: 'held', bearer: bearer() });
    nobody();
    release();
    await eventually(() => expect(answered).toHaveBeenCalled());
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(meState.user).toBeNull();
  });
});

describe('a bearer that is refused', () => {
  it('IsRenewed once for all calls, which are sent again with the newer one', async () => {
    answerMe(() => HttpResponse.json(ada));
    const renew = renewer(() => Promise.resolve(bearer('two')));
    const shown = takesOnly(() => 'two');
    await signIn('one');
    const answers = await Promise.all([
      call('GET', path`thing`),
      call('GET', path`thing`),
      call('GET', path`thing`),
    ]);
    expect(answers).toEqual([{ fine: true }, { fine: true }, { fine: true }]);
    expect(renew).toHaveBeenCalledExactlyOnceWith('one');
    expect(shown.sort()).toEqual(['one', 'one', 'one', 'two', 'two', 'two']);
    expect(phase()).toBe('live');
  });

  it('EndsTheSessionWhenTheProviderRefuses', async () => {
    answerMe(() => HttpResponse.json(ada));
    takesOnly(() => 'none');
    await signIn('one');
    await expect(call('GET', path`thing`)).rejects.toMatchObject({ status: 401 });
    expect(meState.signIn).toMatchObject({ phase: 'ended', code: 'E401' });
  });

  it('EndsTheSessionWhenTheNewerOneIsRefusedToo', async () => {
    answerMe(() => HttpResponse.json(ada));
    const renew = renewer(() => Promise.resolve(bearer('two')));
    takesOnly(() => 'none');
    await signIn('one');
    await expect(call('GET', path`thing`)).rejects.toMatchObject({ status: 401 });
    expect(renew).toHaveBeenCalledTimes(1);
    expect(meState.signIn).toMatchObject({ phase: 'ended', code: 'E401' });
  });
});

describe('bearerNow', () => {
  it('IsNoneWhileOneThatEndedIsRenewed, as after a sleep', async () => {
    answerMe(() => HttpResponse.json(ada));
    let give = (_: ReturnType<typeof bearer>): void => undefined;
    renewer(() => new Promise((resolve) => (give = resolve)));
    await signIn('one');
    expect(bearerNow()).toBe('one');
    vi.useFakeTimers({ now: Date.now() + 9 * 3_600_000, toFake: ['Date'] });
    expect(bearerNow()).toBeNull();
    give(bearer('two'));
    await eventually(() => expect(bearerNow()).toBe('two'));
    expect(phase()).toBe('live');
  });
});

describe('endSession', () => {
  it('KeepsTheFirstReason', async () => {
    answerMe(() => HttpResponse.json(ada));
    await signIn();
    endSession('S429');
    endSession('E401');
    expect(meState.signIn).toMatchObject({ phase: 'ended', code: 'S429' });
    expect(meState.askAnew).toBe(false);
  });
});

describe('logOut', () => {
  it('A20 tells the server with the bearer, once, and ends the session whatever it answers', async () => {
    const bearers: (string | null)[] = [];
    answerMe(() => HttpResponse.json(ada));
    server.use(
      http.post(api('user/me/logout'), ({ request }) => {
        bearers.push(request.headers.get('Authorization'));
        return problem(401, 'E401', 'over');
      }),
    );
    await signIn();
    expect(meState.askAnew).toBe(false);
    logOut();
    expect(meState).toMatchObject({ signIn: { phase: 'ended', code: 'signed-out' }, askAnew: true });
    signInStep({ type: 'cleared' });
    signInStep({ type: 'told' });
    await eventually(() => expect(bearers).toEqual(['Bearer token']));
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(bearers).toHaveLength(1);
    expect(phase()).toBe('signed-out');
  });
});

describe('sendKeepAlive', () => {
  it.each([
    ['the server refuses the person', () => problem(403, 'U401', 'no'), 'ended'],
    ['the server is in trouble', () => problem(503, 'unavailable', 'no'), 'live'],
    ['the line is down', () => HttpResponse.error(), 'live'],
  ] as const)('When %s', async (_, answer, then) => {
    answerMe(() => HttpResponse.json(ada));
    server.use(http.post(api('user/me/keep-alive'), answer));
    await signIn();
    await sendKeepAlive();
    expect(phase()).toBe(then);
  });
});
