import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import { toast, Toaster } from '@/testing/toasts';
import { notify } from './notify';
import { shorten } from './text';

const failure = { id: '500 /x', status: 500, message: `${'x'.repeat(350)}THE END` };

// The toaster uses pointer capture, which jsdom does not support.
Element.prototype.setPointerCapture = () => undefined;

beforeEach(() => void toast.dismiss());

it('shows good news for 4 seconds', async () => {
  renderPart(<Toaster />);
  notify.success('File downloaded');
  expect(await screen.findByText('File downloaded')).toBeInTheDocument();
  expect(toast.getToasts()).toEqual([expect.objectContaining({ title: 'File downloaded', duration: 4000 })]);
});

describe('a call that failed', () => {
  it('is shown once, cut at 300 characters, until it is dismissed', async () => {
    const onDismiss = vi.fn();
    const { user } = renderPart(<Toaster />);
    notify.failedCall(failure, onDismiss);
    notify.failedCall(failure, onDismiss);
    expect(await screen.findByText('Error Occurred (500)')).toBeInTheDocument();
    expect(screen.getAllByText('Error Occurred (500)')).toHaveLength(1);
    expect(screen.getByText(`${'x'.repeat(299)}…`)).toBeInTheDocument();
    expect(toast.getToasts()).toEqual([expect.objectContaining({ id: failure.id, duration: Infinity })]);
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(onDismiss).toHaveBeenCalledOnce();
  });

  it('has no status when the server has not answered', async () => {
    renderPart(<Toaster />);
    notify.failedCall({ id: '0 /x', status: 0, message: 'The server cannot be reached.' }, () => undefined);
    expect(await screen.findByText('Error Occurred')).toBeInTheDocument();
  });

  it('is copied whole, and stays', async () => {
    const { user } = renderPart(<Toaster />);
    notify.failedCall(failure, () => undefined);
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Copied to clipboard!')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(`Error Occurred (500)\n${failure.message}`);
    expect(screen.getByText('Error Occurred (500)')).toBeInTheDocument();
  });

  it('says so when it could not be copied', async () => {
    const { user } = renderPart(<Toaster />);
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
    // The method for browsers that hide the clipboard API fails, too.
    Object.assign(document, { execCommand: () => false });
    notify.failedCall(failure, () => undefined);
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Copy error')).toBeInTheDocument();
  });
});

describe('I09: text of the server with markup, 10,000 characters long', () => {
  const hostile = `<img src="/x" onerror="window.__pwned = 1"><script>window.__pwned = 1</script>`.padEnd(
    10_000,
    '<b>😀',
  );
  const shown = `${shorten(hostile, 299)}…`;

  it.each([
    ['an error', () => notify.error(hostile)],
    ['one that stays', () => notify.stays('a', hostile)],
    ['the end of a progress', () => notify.rejected('a', hostile)],
    ['a failed call', () => notify.failedCall({ id: 'a', status: 422, message: hostile }, () => undefined)],
  ])('%s shows it as text, cut at 300', async (_, say) => {
    const { container } = renderPart(<Toaster />);
    say();
    expect(await screen.findByText(shown)).toBeInTheDocument();
    expect(container.querySelectorAll('img, script, b')).toHaveLength(0);
    expect(window).not.toHaveProperty('__pwned');
  });
});
