import { act, fireEvent, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useLanding } from './use-landing';

const roomAbove = 48;

/** A list; the test sets the position of the message in it, and whether the message is rendered. */
class List {
  readonly element = document.createElement('div');
  private readonly feed = document.createElement('div');
  private readonly item = document.createElement('div');
  private top = 0;
  private place = 0;

  constructor() {
    this.feed.setAttribute('role', 'feed');
    this.item.dataset['itemIndex'] = '7';
    this.item.innerHTML = '<article data-message-id="m7"></article>';
    this.element.append(this.feed);
    document.body.append(this.element);
    Object.defineProperties(this.element, {
      clientHeight: { get: () => 500 },
      scrollHeight: { get: () => 5000 },
      scrollTop: {
        get: () => this.top,
        set: (value: number) => {
          this.top = value;
        },
      },
    });
    const message = this.item.firstElementChild!;
    message.getBoundingClientRect = () => ({ top: this.place - this.top }) as DOMRect;
  }

  /** Measures the messages above: the position of the message changes, and the list's padding with it. */
  async measure(place: number): Promise<void> {
    this.place = place;
    this.feed.append(this.item);
    this.feed.style.paddingBottom = `${place}px`;
    await frames();
  }

  async hide(hidden: boolean): Promise<void> {
    this.feed.style.visibility = hidden ? 'hidden' : '';
    await frames();
  }

  async takeOut(): Promise<void> {
    this.item.remove();
    await frames();
  }
}

/** Waits until the observers have run and the next frame has come. */
async function frames(): Promise<void> {
  await vi.advanceTimersByTimeAsync(40);
}

function land(messageId: string | null = 'm7') {
  const list = new List();
  const goNear = vi.fn();
  const onMove = vi.fn();
  const { result } = renderHook(() => useLanding({ messageId, roomAbove, goNear, onMove }));
  act(() => {
    result.current.setScroller(list.element);
  });
  return { list, goNear, onMove, result };
}

describe('useLanding', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
    document.body.replaceChildren();
  });

  it('follows the message for as long as those above it are measured', async () => {
    const { list, onMove } = land();
    await list.measure(1000);
    expect(list.element.scrollTop).toBe(1000 - roomAbove);
    await list.measure(3100);
    await list.measure(2300);
    expect(list.element.scrollTop).toBe(2300 - roomAbove);
    expect(onMove).toHaveBeenCalled();
  });

  it('goes no further than to the end', async () => {
    const { list } = land();
    await list.measure(4900);
    expect(list.element.scrollTop).toBe(4500);
  });

  it('asks the list for the message until it is rendered', async () => {
    const { list, goNear } = land();
    await list.measure(1000);
    goNear.mockClear();
    await list.takeOut();
    expect(goNear.mock.calls.length).toBeGreaterThan(1);
    await list.measure(1000);
    goNear.mockClear();
    await frames();
    expect(goNear).not.toHaveBeenCalled();
  });

  it('waits until the list shows itself', async () => {
    const { list } = land();
    await list.hide(true);
    await list.measure(1000);
    expect(list.element.scrollTop).toBe(0);
    await list.hide(false);
    expect(list.element.scrollTop).toBe(1000 - roomAbove);
  });

  it.each(['wheel', 'touchMove', 'pointerDown', 'keyDown'] as const)(
    'leaves it to the reader at a %s',
    async (how) => {
      const { list } = land();
      await list.measure(1000);
      fireEvent[how](list.element);
      await list.measure(3000);
      expect(list.element.scrollTop).toBe(1000 - roomAbove);
    },
  );

  it('is over once the list has come to rest, or something else is wished for', async () => {
    const rested = land();
    await rested.list.measure(1000);
    await vi.advanceTimersByTimeAsync(3000);
    await rested.list.measure(3000);
    expect(rested.list.element.scrollTop).toBe(1000 - roomAbove);

    const left = land();
    await left.list.measure(1000);
    left.result.current.leave();
    await left.list.measure(3000);
    expect(left.list.element.scrollTop).toBe(1000 - roomAbove);
  });

  it('moves nothing when no link leads', async () => {
    const { list, goNear } = land(null);
    await list.measure(1000);
    expect(list.element.scrollTop).toBe(0);
    expect(goNear).not.toHaveBeenCalled();
  });
});
