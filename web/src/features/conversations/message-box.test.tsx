import { screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import { MessageBox } from './message-box';

interface Options {
  text?: string;
  running?: boolean;
  busy?: boolean;
}

function setup({ text = '', running = false, busy = false }: Options = {}) {
  const onSend = vi.fn<(text: string) => void>();
  const onStop = vi.fn<() => void>();
  const onQueue = vi.fn<() => void>();
  function Host() {
    const [value, setValue] = useState(text);
    return (
      <MessageBox
        text={value}
        onText={setValue}
        onSend={() => onSend(value)}
        onQueue={onQueue}
        running={running}
        onStop={onStop}
        busy={busy}
      >
        tags
      </MessageBox>
    );
  }
  return { onSend, onStop, onQueue, ...renderPart(<Host />) };
}

const box = (): HTMLElement => screen.getByRole('textbox', { name: 'Message' });

describe('MessageBox', () => {
  it('continues in the box when the button that was pressed goes away', async () => {
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    const { user } = setup({ running: true });
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveFocus();
    vi.restoreAllMocks();
  });

  it('begins in the box, unless something else has the focus or that opens a keyboard', () => {
    const pointer = vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    const first = setup();
    expect(box()).toHaveFocus();
    first.unmount();
    const link = document.body.appendChild(document.createElement('button'));
    link.focus();
    const second = setup();
    expect(link).toHaveFocus();
    second.unmount();
    link.remove();
    pointer.mockReturnValue({ matches: false } as MediaQueryList);
    setup();
    expect(document.body).toHaveFocus();
    vi.restoreAllMocks();
  });

  it('sends with Enter, and adds a line with Shift+Enter', async () => {
    const { user, onSend } = setup();
    await user.type(box(), 'one{Shift>}{Enter}{/Shift}two{Enter}');
    expect(onSend).toHaveBeenCalledExactlyOnceWith('one\ntwo');
  });

  it('sends nothing empty', async () => {
    const { user, onSend } = setup();
    await user.type(box(), '   {Enter}');
    expect(onSend).not.toHaveBeenCalled();
    expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled();
  });

  it('stops while an answer runs, and keeps what is asked meanwhile', async () => {
    const { user, onSend, onStop, onQueue } = setup({ text: 'next', running: true });
    await user.type(box(), '{Enter}');
    expect(onQueue).toHaveBeenCalledOnce();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(onSend).not.toHaveBeenCalled();
    expect(onStop).toHaveBeenCalledTimes(1);
  });

  it('sends once while a send is on its way', async () => {
    const { user, onSend } = setup({ text: 'next', busy: true });
    await user.type(box(), '{Enter}');
    expect(onSend).not.toHaveBeenCalled();
  });
});
