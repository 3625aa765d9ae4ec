import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { connectionChanged, lineState } from './connection-store';

beforeEach(() => {
  for (const name of ['resolved', 'rejected', 'dismiss'] as const) {
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
    expect(notify.resolved).not.toHaveBeenCalled();
  });

  it('says when it is back after attempts that a person has seen', () => {
    connectionChanged(retrying(1));
    expect(lineState.connection).toEqual(retrying(1));
    connectionChanged(retrying(2));
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
