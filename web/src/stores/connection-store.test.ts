import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { connectionChanged, lineState } from './connection-store';

beforeEach(() => {
  for (const name of ['progress', 'resolved', 'rejected', 'dismiss'] as const) {
    vi.spyOn(notify, name).mockReturnValue();
  }
  connectionChanged({ phase: 'closed' });
});

const retrying = (attempt: number) => ({ phase: 'retrying', attempt, of: 3 }) as const;

describe('connectionChanged', () => {
  it('IsSilentWhenTheFirstTrySucceeds', () => {
    connectionChanged({ phase: 'open' });
    connectionChanged(retrying(0));
    expect(connectionChanged({ phase: 'open' })).toBe(true);
    expect(notify.progress).not.toHaveBeenCalled();
    expect(notify.resolved).not.toHaveBeenCalled();
  });

  it('CountsTheAttempts, and saysWhenItIsBack', () => {
    connectionChanged(retrying(1));
    connectionChanged(retrying(2));
    expect(notify.progress).toHaveBeenNthCalledWith(
      1,
      'connection',
      'Lost connection to server. Attempting to reconnect... (attempt 1 of 3)',
    );
    expect(notify.progress).toHaveBeenNthCalledWith(2, 'connection', 'Reconnecting (attempt 2 of 3)');
    expect(connectionChanged({ phase: 'open' })).toBe(true);
    expect(notify.resolved).toHaveBeenCalledWith('connection', 'Connection re-established');
  });

  it('SaysThatItIsLost', () => {
    connectionChanged({ phase: 'lost', because: 'failed' });
    expect(notify.rejected).toHaveBeenCalledWith('connection', 'Lost connection to server');
    expect(lineState.connection).toEqual({ phase: 'lost', because: 'failed' });
  });

  it('TellsAFirstConnectionFromARecovery', () => {
    connectionChanged({ phase: 'connecting' });
    expect(connectionChanged({ phase: 'open' })).toBe(false);
  });
});
