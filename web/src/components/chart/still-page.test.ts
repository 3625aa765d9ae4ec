import { beforeEach, describe, expect, it, vi } from 'vitest';
import { whenStill } from './still-page';

function scroll(): void {
  document.body.dispatchEvent(new Event('scroll'));
}

describe('whenStill', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    vi.advanceTimersByTime(10_000);
    whenStill(() => undefined)();
    return () => vi.useRealTimers();
  });

  it('calls back at once on a page that nobody scrolls', () => {
    const ready = vi.fn();
    whenStill(ready);
    expect(ready).toHaveBeenCalledExactlyOnceWith(false);
  });

  it('waits until the scrolling is over', () => {
    const ready = vi.fn();
    scroll();
    whenStill(ready);
    vi.advanceTimersByTime(60);
    scroll();
    vi.advanceTimersByTime(60);
    expect(ready).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60);
    expect(ready).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('does not wait for ever', () => {
    const ready = vi.fn();
    for (let i = 0; i < 30; i++) {
      scroll();
      if (i === 0) whenStill(ready);
      vi.advanceTimersByTime(20);
    }
    expect(ready).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('calls back no more once it is forgotten', () => {
    const ready = vi.fn();
    scroll();
    const forget = whenStill(ready);
    forget();
    vi.advanceTimersByTime(1000);
    expect(ready).not.toHaveBeenCalled();
  });
});
