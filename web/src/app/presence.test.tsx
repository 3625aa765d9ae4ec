import { fireEvent, render } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as me from '@/stores/me-store';
import * as bindings from '@/stores/stream-bindings';
import { useIdleLimit, useKeepAlive, useWakeUp } from './presence';

const minute = 60_000;
const hour = 60 * minute;

/** A user who is signed in, with a clock that the test moves. */
function setup() {
  vi.useFakeTimers({ now: new Date('2026-11-20T08:00:00Z') });
  const endSession = vi.spyOn(me, 'endSession').mockReturnValue();
  const keepAlive = vi.spyOn(me, 'sendKeepAlive').mockResolvedValue();
  const wakeUp = vi.spyOn(bindings, 'wakeUp').mockReturnValue();
  const { unmount } = render(<Inside />);
  return { endSession, keepAlive, wakeUp, unmount };
}

function Inside() {
  useKeepAlive();
  useIdleLimit();
  useWakeUp();
  return null;
}

beforeEach(() => {
  vi.restoreAllMocks();
});

describe('four hours in which nothing is touched', () => {
  it('end the session, and no minute before', () => {
    const { endSession } = setup();
    vi.advanceTimersByTime(4 * hour - minute);
    expect(endSession).not.toHaveBeenCalled();
    vi.advanceTimersByTime(minute);
    expect(endSession).toHaveBeenCalledWith('idle');
  });

  it.each([
    ['mouse', () => fireEvent.mouseMove(window)],
    ['key', () => fireEvent.keyDown(window)],
    ['touch', () => fireEvent.touchStart(window)],
    ['scroll', () => fireEvent.scroll(window)],
  ])('begin again at a %s', (_, act) => {
    const { endSession } = setup();
    vi.advanceTimersByTime(3 * hour);
    act();
    vi.advanceTimersByTime(4 * hour - minute);
    expect(endSession).not.toHaveBeenCalled();
    vi.advanceTimersByTime(minute);
    expect(endSession).toHaveBeenCalledWith('idle');
  });

  it('do not pass while another tab is worked in', () => {
    const { endSession } = setup();
    vi.advanceTimersByTime(3 * hour);
    localStorage.setItem('parley.lastActivity', String(Date.now()));
    vi.advanceTimersByTime(2 * hour);
    expect(endSession).not.toHaveBeenCalled();
  });

  it('that a machine slept through end the session at the first movement', () => {
    const { endSession } = setup();
    vi.setSystemTime(Date.now() + 9 * hour);
    fireEvent.mouseMove(window);
    expect(endSession).toHaveBeenCalledWith('idle');
  });

  it('are not waited for any more once the person has left', () => {
    const { endSession, unmount } = setup();
    unmount();
    vi.advanceTimersByTime(5 * hour);
    fireEvent.mouseMove(window);
    expect(endSession).not.toHaveBeenCalled();
  });
});

describe('a page that is open', () => {
  it('tells the server every ten minutes that the person is there', () => {
    const { keepAlive } = setup();
    vi.advanceTimersByTime(10 * minute - 1);
    expect(keepAlive).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(keepAlive).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(50 * minute);
    expect(keepAlive).toHaveBeenCalledTimes(6);
  });

  it.each(['online', 'pageshow'])('looks after sign-in and stream at %s', (name) => {
    const { wakeUp } = setup();
    window.dispatchEvent(new Event(name));
    expect(wakeUp).toHaveBeenCalledTimes(1);
  });
});
