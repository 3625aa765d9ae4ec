import { describe, expect, it } from 'vitest';
import {
  afterClose,
  afterReady,
  closeAction,
  freshRetry,
  goodAfter,
  retryLimit,
  retryPause,
  type Retry,
} from './retry';

function connect(retry: Retry, code: number, lived = 0, random = 0.5): { retry: Retry; after: number } {
  const step = afterClose(retry, code, lived, random);
  if (step.kind !== 'connect') throw new Error(`it is not to connect: ${step.kind}`);
  return step;
}

describe('closeAction', () => {
  it.each([
    [4401, 'sign-in'],
    [4402, 'renew'],
    [4403, 'forbidden'],
    [4400, 'stop'],
    [1002, 'stop'],
    [1003, 'stop'],
    [1007, 'stop'],
    [1009, 'stop'],
    [4429, 'wait'],
    [1011, 'wait'],
    [4408, 'soon'],
    [4503, 'soon'],
    [1006, 'soon'],
    [1001, 'soon'],
  ])('Reads %i as %s', (code, action) => {
    expect(closeAction(code)).toBe(action);
  });
});

describe('afterClose', () => {
  it('TriesSoonFirst, and counts three after that', () => {
    const silent = connect(freshRetry, 1006);
    expect(silent.retry).toMatchObject({ attempts: 0, silent: true });
    let { retry } = silent;
    for (let attempt = 1; attempt <= retryLimit; attempt++) {
      const next = connect(retry, 1006);
      expect(next).toMatchObject({ after: retryPause, retry: { attempts: attempt } });
      retry = next.retry;
    }
    expect(afterClose(retry, 1006, 0, 0)).toMatchObject({ kind: 'give-up', because: 'failed' });
  });

  it('SpreadsThoseWhomOneNodeSendsAwayOverTwoSeconds', () => {
    expect(connect(freshRetry, 4503, goodAfter, 0).after).toBe(0);
    expect(connect(freshRetry, 4503, goodAfter, 0.5).after).toBe(1_000);
    expect(connect(freshRetry, 4503, goodAfter, 0.999).after).toBeCloseTo(2_000, -2);
  });

  it('SpreadsLaterTriesAroundTenSeconds', () => {
    expect(connect(freshRetry, 4429, 0, 0).after).toBe(9_000);
    expect(connect(freshRetry, 4429, 0, 0.999).after).toBeCloseTo(11_000, -2);
  });

  it('MakesTheNextPauseLonger, until a connection has lived', () => {
    let retry = freshRetry;
    const pauses = [];
    for (let count = 0; count < 5; count++) {
      const next = connect(retry, 4408, 5_000, 0);
      pauses.push(next.after);
      retry = afterReady(next.retry);
    }
    expect(pauses).toEqual([0, 2_000, 5_000, 10_000, 10_000]);
    expect(connect(retry, 4408, goodAfter, 0).after).toBe(0);
  });

  it('WaitsWhenTheServerAsksForIt', () => {
    expect(connect(freshRetry, 4429)).toMatchObject({ after: retryPause, retry: { attempts: 1 } });
  });

  it('CountsNothingAgainstABearerThatEnded', () => {
    const { retry } = connect(freshRetry, 1006);
    expect(afterClose(retry, 4402, 0, 0)).toEqual({ kind: 'renew', retry });
  });

  it.each([
    [4401, 'sign-in'],
    [4403, 'forbidden'],
    [4400, 'stop'],
  ])('GivesUpAt %i', (code, because) => {
    expect(afterClose(freshRetry, code, 0, 0)).toMatchObject({ kind: 'give-up', because });
  });
});
