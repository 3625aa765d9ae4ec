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

  it('keeps the field of a form that has the focus in view, and nothing else', async () => {
    const shown = new Set<Element>();
    Element.prototype.scrollIntoView = function (this: Element) {
      shown.add(this);
    };
    render(
      <>
        <form>
          <input aria-label="Name" />
        </form>
        <button>Elsewhere</button>
        <Toaster theme="light" />
      </>,
    );
    const place = (element: HTMLElement, top: number) => {
      element.getBoundingClientRect = () => new DOMRect(0, top, 100, 30);
      act(() => element.focus());
    };
    const say = async (text: string) => {
      const before = room();
      act(() => void toast.error(text, { duration: Infinity }));
      await waitFor(() => expect(room()).not.toBe(before));
    };
    const field = screen.getByRole('textbox', { name: 'Name' });
    place(field, window.innerHeight - 60);
    await say('Please complete the required fields');
    expect([...shown]).toEqual([field]);
    shown.clear();
    // The person has scrolled away from it.
    place(field, window.innerHeight + 500);
    await say('Another one');
    place(screen.getByRole('button', { name: 'Elsewhere' }), 10);
    await say('A third one');
    expect([...shown]).toEqual([]);
    act(() => void toast.dismiss());
  });
});
