import { act, fireEvent, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useFollow } from './use-follow';

const viewport = 500;
let observed: ResizeObserverBoxOptions | undefined;

/** A scrolling box; the test sets the height of its content. */
class Box {
  readonly element = document.createElement('div');
  private height = 2000;
  private top = 0;
  private grew: () => void = () => undefined;
  private readonly feed = document.createElement('div');

  constructor() {
    this.feed.setAttribute('role', 'feed');
    this.element.append(this.feed);
    Object.defineProperties(this.element, {
      clientHeight: { get: () => viewport },
      scrollHeight: { get: () => this.height },
      scrollTop: {
        get: () => this.top,
        set: (value: number) => {
          this.top = Math.max(0, Math.min(value, this.height - viewport));
        },
      },
    });
    this.element.scrollTo = ((to: ScrollToOptions) => {
      this.element.scrollTop = to.top ?? 0;
    }) as typeof this.element.scrollTo;
    const onObserve = (callback: () => void) => {
      this.grew = callback;
    };
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(callback: () => void) {
          onObserve(callback);
        }
        observe = (_: Element, options?: ResizeObserverOptions) => {
          observed = options?.box;
        };
        disconnect = () => undefined;
      },
    );
  }

  get gap(): number {
    return this.height - viewport - this.top;
  }

  grow(by: number): void {
    this.height += by;
    act(() => {
      this.grew();
    });
  }

  /** Adds a turn of this height below all others. */
  ask(key: string, height: number): void {
    const begins = this.height;
    const turn = document.createElement('div');
    turn.dataset['turn'] = key;
    turn.getBoundingClientRect = () => new DOMRect(0, begins + 12 - this.top, 100, height);
    this.feed.append(turn);
    this.grow(height);
  }

  /**
   * Changes the content of the feed, as a list does when it renders other items, and waits until the observers have
   * run.
   */
  async relay(): Promise<void> {
    this.feed.append(document.createElement('div'));
    await Promise.resolve();
  }

  scrollTo(top: number): void {
    this.element.scrollTop = top;
    act(() => {
      fireEvent.scroll(this.element);
    });
  }

  wheel(deltaY: number): void {
    fireEvent.wheel(this.element, { deltaY });
    this.scrollTo(this.top + deltaY);
  }
}

function follow(startsAtEnd = true) {
  const box = new Box();
  const { result, rerender } = renderHook((last: string) => useFollow(startsAtEnd, last), {
    initialProps: 'first',
  });
  act(() => {
    result.current.setScroller(box.element);
  });
  box.grow(0);
  return { box, result, rerender };
}

let now = 0;

/** Lets time pass without waiting for it. */
function pause(ms: number): void {
  now += ms;
}

describe('useFollow', () => {
  beforeEach(() => {
    vi.unstubAllGlobals();
    now = 10_000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });

  it('stays at the end while the list grows', () => {
    const { box, result } = follow();
    box.grow(300);
    expect(box.gap).toBe(0);
    box.grow(5000);
    expect(box.gap).toBe(0);
    expect(result.current.isThere).toBe(true);
  });

  it('hears of messages that are not rendered, which are padding', () => {
    follow();
    expect(observed).toBe('border-box');
  });

  it('stops following at the first movement upwards, however small', () => {
    const { box, result } = follow();
    box.wheel(-10);
    box.grow(300);
    expect(box.gap).toBe(310);
    expect(result.current.isThere).toBe(false);
  });

  it('is not caught again by text that arrives during a smooth scroll upwards', () => {
    const { box } = follow();
    fireEvent.wheel(box.element, { deltaY: -150 });
    box.grow(20);
    box.scrollTo(1500);
    box.grow(20);
    expect(box.gap).toBe(40);
  });

  it.each([
    ['keys', (box: Box) => fireEvent.keyDown(box.element, { key: 'PageUp' })],
    ['touch', (box: Box) => fireEvent.touchMove(box.element)],
    ['the scroll bar', (box: Box) => fireEvent.pointerDown(box.element)],
  ])('lets go for %s', (_, move) => {
    const { box } = follow();
    move(box);
    box.grow(300);
    expect(box.gap).toBe(300);
  });

  it('stops following when the page is searched', () => {
    const { box } = follow();
    box.scrollTo(200);
    box.grow(300);
    expect(box.element.scrollTop).toBe(200);
  });

  it('keeps following when the list moves by itself while it measures', () => {
    const { box } = follow();
    box.grow(-400);
    fireEvent.scroll(box.element);
    box.grow(900);
    expect(box.gap).toBe(0);
  });

  it('keeps following when the list takes its items out and puts them back', async () => {
    const { box, result } = follow();
    await box.relay();
    box.scrollTo(200);
    expect(box.gap).toBe(0);
    expect(result.current.isThere).toBe(true);
  });

  it('stops following when the page is searched some time after that', async () => {
    const { box } = follow();
    await box.relay();
    await new Promise(requestAnimationFrame);
    box.scrollTo(200);
    expect(box.element.scrollTop).toBe(200);
  });

  it('follows again when the reader comes back to the end', () => {
    const { box, result } = follow();
    box.wheel(-600);
    box.grow(300);
    expect(result.current.isThere).toBe(false);
    pause(450);
    box.wheel(900);
    box.grow(300);
    expect(box.gap).toBe(0);
    expect(result.current.isThere).toBe(true);
  });

  it('goes to the end when asked, and stays there', () => {
    const { box, result } = follow();
    box.wheel(-600);
    act(() => {
      result.current.toEnd();
    });
    expect(box.gap).toBe(0);
    box.grow(300);
    expect(box.gap).toBe(0);
  });

  it('stays where a link led', () => {
    const { box, result } = follow();
    act(() => {
      result.current.letGo();
    });
    box.grow(300);
    expect(box.gap).toBe(300);
  });

  it('keeps the beginning of the last turn in view, however long it grows', () => {
    const { box, result, rerender } = follow();
    rerender('second');
    box.ask('second', 100);
    expect(box.gap).toBe(0);
    box.grow(300);
    expect(box.gap).toBe(0);
    expect(result.current.isThere).toBe(true);
    // The turn begins 2,000 px below the beginning of the list.
    box.grow(900);
    expect(box.element.scrollTop).toBe(2000);
    // Its end is far below, and still there is nothing to jump to.
    expect(box.gap).toBeGreaterThan(24);
    expect(result.current.isThere).toBe(true);
    box.wheel(100);
    expect(result.current.isThere).toBe(false);
    act(() => {
      result.current.toLastTurn();
    });
    box.grow(900);
    expect(box.element.scrollTop).toBe(2000);
    // The content below is folded.
    box.grow(-1900);
    expect(box.gap).toBe(0);
  });

  it.each([
    ['the wheel', (box: Box) => box.wheel(200)],
    ['keys', (box: Box) => fireEvent.keyDown(box.element, { key: 'PageDown' })],
    ['touch', (box: Box) => fireEvent.touchMove(box.element)],
    ['the focus, which goes on to a button', (box: Box) => box.scrollTo(2200)],
  ])('lets the reader read on below that by %s', (_, move) => {
    const { box, rerender } = follow();
    rerender('second');
    box.ask('second', 1500);
    move(box);
    const { scrollTop } = box.element;
    box.grow(300);
    expect(box.element.scrollTop).toBe(scrollTop);
  });

  it('follows the end of the turn from where the reader goes there, and the next turn from its beginning', () => {
    const { box, result, rerender } = follow();
    rerender('second');
    box.ask('second', 1500);
    act(() => {
      result.current.toEnd();
    });
    expect(box.gap).toBe(0);
    box.grow(300);
    expect(box.gap).toBe(0);
    rerender('third');
    act(() => {
      result.current.toLastTurn();
    });
    // It is not rendered yet: until then the only target is the end, and the list does not scroll back up.
    expect(box.gap).toBe(0);
    box.ask('third', 800);
    expect(box.element.scrollTop).toBe(3800);
  });

  it('knows that the list is moving up only for a moment', () => {
    const { box, result } = follow();
    expect(result.current.isMovingUp()).toBe(false);
    box.wheel(-100);
    expect(result.current.isMovingUp()).toBe(true);
    pause(250);
    expect(result.current.isMovingUp()).toBe(false);
  });
});
