import { beforeEach, describe, expect, it, vi } from 'vitest';
import { recordError, takeRecordedErrors } from '@/api/errors';
import { notify } from '@/lib/notify';
import { watchErrors } from './errors-store';

beforeEach(() => {
  takeRecordedErrors();
  vi.useFakeTimers();
});

describe('watchErrors', () => {
  it('asks every 500 ms, and shows each failure once until it is dismissed', () => {
    const failed = vi.spyOn(notify, 'failedCall').mockReturnValue();
    const stop = watchErrors();
    recordError('/a', 500, 'Broken.');
    vi.advanceTimersByTime(499);
    expect(failed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(failed).toHaveBeenCalledExactlyOnceWith(
      { id: '500 /a', url: '/a', status: 500, message: 'Broken.' },
      expect.any(Function),
    );
    recordError('/a', 500, 'Broken.');
    recordError('/b', 404, 'Gone.');
    vi.advanceTimersByTime(500);
    expect(failed.mock.calls.map(([notice]) => notice.id)).toEqual(['500 /a', '404 /b']);
    failed.mock.calls[0]?.[1]();
    recordError('/a', 500, 'Broken.');
    vi.advanceTimersByTime(500);
    expect(failed).toHaveBeenCalledTimes(3);
    stop();
    recordError('/c', 500, 'Broken.');
    vi.advanceTimersByTime(5000);
    expect(failed).toHaveBeenCalledTimes(3);
  });
});
