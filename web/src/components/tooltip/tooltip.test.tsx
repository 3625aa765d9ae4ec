import { Button, Dialog } from '@radix-ui/themes';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '@/testing/render';
import { tooltips } from './on-demand';
import { Tooltip } from './tooltip';

const two = (
  <>
    <Tooltip content="Puts it on the clipboard">
      <button type="button" aria-label="Copy" aria-describedby="more" />
    </Tooltip>
    <Tooltip content="Takes it away" side="right">
      <button type="button" aria-label="Delete" />
    </Tooltip>
    <p id="more">Also with Ctrl-C.</p>
  </>
);
const copy = (): HTMLElement => screen.getByRole('button', { name: 'Copy' });
const remove = (): HTMLElement => screen.getByRole('button', { name: 'Delete' });
const gone = async (): Promise<void> => {
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
};

let later = 0;

/** The clock is stopped, and no tooltip has been read for a while. */
function holdTime(): void {
  later += 60_000;
  const at = performance.now() + later;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(performance, 'now').mockReturnValue(at);
}

function pass(milliseconds: number): void {
  act(() => void vi.advanceTimersByTime(milliseconds));
}

describe('Tooltip', () => {
  it('describes what is pointed at, and no longer once it is left', async () => {
    const { user } = renderPart(two);
    expect(copy()).toHaveAccessibleDescription('Also with Ctrl-C.');
    await user.hover(copy());
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Puts it on the clipboard');
    expect(copy()).toHaveAccessibleDescription('Also with Ctrl-C. Puts it on the clipboard');
    expect(copy()).toHaveAccessibleName('Copy');
    await user.unhover(copy());
    await gone();
    expect(copy()).toHaveAccessibleDescription('Also with Ctrl-C.');
  });

  it('waits for a pointer that rests', () => {
    renderPart(two);
    holdTime();
    fireEvent.pointerMove(copy());
    pass(199);
    expect(document.querySelector('[role="tooltip"]')).toBeNull();
    pass(1);
    expect(document.querySelector('[role="tooltip"]')).toHaveTextContent('Puts it on the clipboard');
  });

  it('does not open for a pointer that only comes by', () => {
    renderPart(two);
    holdTime();
    fireEvent.pointerMove(copy());
    pass(199);
    fireEvent.pointerLeave(copy());
    pass(1_000);
    expect(document.querySelector('[role="tooltip"]')).toBeNull();
  });

  it('has no tooltip for a finger', () => {
    renderPart(two);
    holdTime();
    fireEvent(copy(), new PointerEvent('pointermove', { bubbles: true, pointerType: 'touch' }));
    pass(1_000);
    expect(document.querySelector('[role="tooltip"]')).toBeNull();
  });

  it('shows one at a time, and the next one at once', async () => {
    const { user } = renderPart(two);
    await user.hover(copy());
    await screen.findByRole('tooltip');
    fireEvent.pointerMove(remove());
    expect(screen.getByText('Takes it away')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('tooltip')).toHaveTextContent('Takes it away'));
    expect(copy()).toHaveAccessibleDescription('Also with Ctrl-C.');
  });

  it('opens at once for the keyboard, and stays until the focus moves', async () => {
    const { user } = renderPart(two);
    await user.tab();
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Puts it on the clipboard');
    fireEvent.pointerMove(document.body);
    expect(screen.getByRole('tooltip')).toBeVisible();
    await user.tab();
    await waitFor(() => expect(screen.getByRole('tooltip')).toHaveTextContent('Takes it away'));
    await user.tab();
    await gone();
  });

  it('keeps still for a focus that a press gave, and after a press', async () => {
    const { user } = renderPart(two);
    await user.click(copy());
    expect(copy()).toHaveFocus();
    holdTime();
    fireEvent.pointerMove(copy());
    pass(1_000);
    expect(document.querySelector('[role="tooltip"]')).toBeNull();
  });

  it('stays while the pointer is on it', async () => {
    const { user } = renderPart(two);
    await user.hover(copy());
    await user.hover(await screen.findByText('Puts it on the clipboard'));
    expect(screen.getByRole('tooltip')).toBeVisible();
    await user.hover(document.body);
    await gone();
  });

  it('closes at Escape, and the dialog around it only at the next one', async () => {
    const { user } = renderPart(
      <Dialog.Root defaultOpen>
        <Dialog.Content aria-describedby={undefined}>
          <Dialog.Title>Access</Dialog.Title>
          {two}
        </Dialog.Content>
      </Dialog.Root>,
    );
    await user.hover(copy());
    await screen.findByRole('tooltip');
    await user.keyboard('{Escape}');
    await gone();
    expect(screen.getByRole('dialog', { name: 'Access' })).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('is within a dialog of the browser, which covers all else', async () => {
    const { user } = renderPart(<dialog open>{two}</dialog>);
    await user.hover(copy());
    expect(screen.getByRole('dialog')).toContainElement(await screen.findByRole('tooltip'));
  });

  it('closes when what it explains is scrolled', async () => {
    const { user } = renderPart(<div data-testid="pane">{two}</div>);
    await user.hover(copy());
    await screen.findByRole('tooltip');
    fireEvent.scroll(remove());
    expect(screen.getByRole('tooltip')).toBeVisible();
    fireEvent.scroll(screen.getByTestId('pane'));
    await gone();
  });

  it('follows its words while it is open, and closes with a control that is disabled and then left', async () => {
    const { user } = renderPart(<Starred />);
    await user.tab();
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Off');
    fireEvent.keyUp(screen.getByRole('button', { name: 'Star' }), { key: 's' });
    expect(screen.getByRole('tooltip')).toHaveTextContent('On');
    expect(screen.getByRole('button', { name: 'Star' })).toBeDisabled();
    screen.getByRole('button', { name: 'Next' }).focus();
    await gone();
  });

  it('goes with what it explains', async () => {
    const { user, rerender } = renderPart(<Replaced />);
    await user.hover(screen.getByRole('button', { name: 'First' }));
    await screen.findByRole('tooltip');
    fireEvent.keyUp(screen.getByRole('button', { name: 'First' }));
    expect(screen.getByRole('link', { name: 'Second' })).toBeVisible();
    await gone();
    rerender(<></>);
    expect(document.querySelector('[role="tooltip"]')).toBeNull();
  });

  it('shows none while the network is away, and asks again the next time', async () => {
    const here = tooltips.now();
    vi.spyOn(tooltips, 'now').mockReturnValue(null);
    const load = vi.spyOn(tooltips, 'load').mockRejectedValueOnce(new Error('offline'));
    const { user } = renderPart(two);
    await user.tab();
    await waitFor(() => expect(load).toHaveBeenCalledOnce());
    expect(screen.queryByRole('tooltip')).toBeNull();
    load.mockResolvedValueOnce(here!);
    await user.tab();
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Takes it away');
  });

  it('leaves what the control does to the control', async () => {
    const press = vi.fn();
    const { user } = renderPart(
      <Tooltip content="Sends it">
        <Button onClick={press}>Send</Button>
      </Tooltip>,
    );
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(press).toHaveBeenCalledOnce();
  });
});

function Starred() {
  const [on, setOn] = useState(false);
  return (
    <>
      <Tooltip content={on ? 'On' : 'Off'}>
        <button
          type="button"
          aria-label="Star"
          disabled={on}
          onKeyUp={({ key }) => key === 's' && setOn(true)}
        />
      </Tooltip>
      <button type="button">Next</button>
    </>
  );
}

function Replaced() {
  const [other, setOther] = useState(false);
  return (
    <Tooltip content="About it">
      {other ? (
        <a href="/x">Second</a>
      ) : (
        <button type="button" onKeyUp={() => setOther(true)}>
          First
        </button>
      )}
    </Tooltip>
  );
}
