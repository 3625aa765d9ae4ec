import { act, render, screen, waitFor } from '@testing-library/react';
import { toast } from 'sonner';
import { describe, expect, it } from 'vitest';
import { Toaster } from './toaster';

const room = () => document.documentElement.style.getPropertyValue('--toast-room');

describe('Toaster', () => {
  it('has the page end above what it says, and gives the room back', async () => {
    const { unmount } = render(<Toaster theme="light" />);
    expect(room()).toBe('');
    act(() => void toast.success('Saved', { duration: Infinity }));
    expect(await screen.findByText('Saved')).toBeVisible();
    await waitFor(() => expect(Number.parseFloat(room())).toBeGreaterThan(0));
    const one = Number.parseFloat(room());
    act(() => void toast.success('Saved again', { duration: Infinity }));
    await waitFor(() => expect(Number.parseFloat(room())).toBeGreaterThan(one));
    act(() => void toast.dismiss());
    await waitFor(() => expect(room()).toBe(''));
    act(() => void toast.success('Saved once more', { duration: Infinity }));
    await waitFor(() => expect(room()).not.toBe(''));
    unmount();
    expect(room()).toBe('');
  });
});
