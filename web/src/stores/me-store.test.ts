import { beforeEach, describe, expect, it } from 'vitest';
import { call, getBearer } from '@/api/client';
import { ada } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { acknowledgeEnd, endSession, logOut, meState, sendKeepAlive, signIn, signOut } from './me-store';
import { eventually } from '@/testing/eventually';

function answerMe(answer: () => Response): void {
  server.use(http.get(api('user/me'), answer));
}

beforeEach(() => {
  signOut();
  acknowledgeEnd();
});

describe('signIn', () => {
  it('LearnsWhoItIs', async () => {
    answerMe(() => HttpResponse.json(ada));
    await signIn('token');
    expect(meState).toMatchObject({ phase: 'ready', user: { fullName: 'Ada Lindqvist' } });
  });

  it('TakesARenewedBearerWithoutAskingAgain', async () => {
    let calls = 0;
    answerMe(() => {
      calls++;
      return HttpResponse.json(ada);
    });
    await signIn('one');
    await signIn('two');
    expect(calls).toBe(1);
    expect(getBearer()).toBe('two');
  });

  it('TellsAnUnknownPersonFromABrokenServer', async () => {
    answerMe(() => problem(403, 'U401', 'Unknown'));
    await signIn('token');
    expect(meState.phase).toBe('unknown-user');
    signOut();
    answerMe(() => problem(500, 'I500', 'Broken'));
    await signIn('token');
    expect(meState.phase).toBe('failed');
  });

  it('EndsTheSessionAtA401OfAnyCall', async () => {
    answerMe(() => HttpResponse.json(ada));
    await signIn('token');
    server.use(http.get(api('thing'), () => problem(401, 'E401', '')));
    await expect(call('GET', 'thing')).rejects.toThrow();
    expect(meState.ended).toBe('E401');
  });
});

describe('endSession', () => {
  it('KeepsTheFirstReason', () => {
    endSession('S429');
    endSession('E401');
    expect(meState.ended).toBe('S429');
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
    await signIn('token');
    expect(meState.askAnew).toBe(false);
    logOut();
    expect(meState).toMatchObject({ ended: 'signed-out', askAnew: true });
    signOut();
    acknowledgeEnd();
    await eventually(() => expect(bearers).toEqual(['Bearer token']));
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(bearers).toHaveLength(1);
    expect(meState.ended).toBeNull();
  });
});

describe('sendKeepAlive', () => {
  it('EndsTheSessionWhenRefused', async () => {
    server.use(http.post(api('user/me/keep-alive'), () => problem(500, 'I500', 'no')));
    await sendKeepAlive();
    expect(meState.ended).toBe('E401');
  });

  it('LeavesALostLineToTheStream', async () => {
    server.use(http.post(api('user/me/keep-alive'), () => HttpResponse.error()));
    await sendKeepAlive();
    expect(meState.ended).toBeNull();
  });
});
