import { act, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { connectionChanged } from '@/stores/connection-store';
import { renderPart } from '@/testing/render';
import { ConnectionBar } from './connection-bar';

const retrying = (attempt: number) => ({ phase: 'retrying', attempt, of: 3 }) as const;

beforeEach(() => void connectionChanged({ phase: 'closed' }));

describe('ConnectionBar', () => {
  it('counts the attempts, and goes when the connection is back', async () => {
    renderPart(<ConnectionBar />);
    const bar = screen.getByRole('status');
    await act(() => Promise.resolve(connectionChanged(retrying(1))));
    expect(bar).toHaveTextContent('Lost connection to server. Attempting to reconnect... (attempt 1 of 3)');
    await act(() => Promise.resolve(connectionChanged(retrying(2))));
    expect(bar).toHaveTextContent('Reconnecting (attempt 2 of 3)');
    await act(() => Promise.resolve(connectionChanged({ phase: 'open' })));
    expect(bar).toBeEmptyDOMElement();
  });

  it('says nothing of the first try, which is made at once', async () => {
    renderPart(<ConnectionBar />);
    await act(() => Promise.resolve(connectionChanged(retrying(0))));
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });
});
