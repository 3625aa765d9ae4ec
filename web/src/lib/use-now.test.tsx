import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { formatAgo } from './format';
import { useNow } from './use-now';

function Age() {
  return <p>{formatAgo('2026-11-20T10:00:00Z', useNow())}</p>;
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:59:30Z') });
});

it('refreshes a relative time every 60 seconds', () => {
  render(<Age />);
  expect(screen.getByText('59 minutes ago')).toBeVisible();
  act(() => void vi.advanceTimersByTime(59_999));
  expect(screen.getByText('59 minutes ago')).toBeVisible();
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.getByText('1 hour ago')).toBeVisible();
});
