import { describe, expect, it } from 'vitest';
import { afterClose, closeAction, freshRetry, retryLimit, retryPause, type Retry } from './retry';

function connect(retry: Retry, code: number): { retry: Retry; after: number } {
  const step = afterClose(retry, code);
  if (step.kind !== 'connect') throw new Error(`gave up: ${step.because}`);
  return step;
}

describe('closeAction', () => {
  it.each([
    [4401, 'sign-in'],
    [4403, 'forbidden'],
    [4400, 'stop'],
    [1009, 'stop'],
    [4429, 'wait'],
    [1011, 'wait'],
    [4408, 'at-once'],
    [4503, 'at-once'],
    [1006, 'at-once'],
    [1001, 'at-once'],
  ])('Reads %i as %s', (code, action) => {
    expect(closeAction(code)).toBe(action);
  });
});

describe('afterClose', () => {
  it('TriesAtOnceFirst, and counts three after that', () => {
    const silent = connect(freshRetry, 1006);
    expect(silent).toMatchObject({ after: 0, retry: { attempts: 0 } });
    let { retry } = silent;
    for (let attempt = 1; attempt <= retryLimit; attempt++) {
      const next = connect(retry, 1006);
      expect(next).toMatchObject({ after: retryPause, retry: { attempts: attempt } });
      retry = next.retry;
    }
    expect(afterClose(retry, 1006)).toMatchObject({ kind: 'give-up', because: 'failed' });
  });

  it('WaitsWhenTheServerAsksForIt', () => {
    expect(connect(freshRetry, 4429)).toMatchObject({ after: retryPause, retry: { attempts: 1 } });
  });

  it.each([
    [4401, 'sign-in'],
    [4403, 'forbidden'],
    [4400, 'stop'],
  ])('GivesUpAt %i', (code, because) => {
    expect(afterClose(freshRetry, code)).toMatchObject({ kind: 'give-up', because });
  });
});
