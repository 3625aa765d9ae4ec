import { useCallback, useEffect, useRef, useState } from 'react';

// The list has come to rest when nothing of it has changed for so long.
const restMs = 2000;

/** What shows that the reader moves by themselves. */
const readerActs = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Where a link leads to. */
export interface Target {
  /** The message; `null` where no link leads to one that is there. */
  messageId: string | null;
  /** How far below the edge it is to stand, in px. */
  roomAbove: number;
  /** Has the list render what stands around the message, by what it guesses of the heights of the others. */
  goNear: () => void;
  /** Called before the list is moved. */
  onMove: () => void;
}

/** Brings a message to its place, and holds it there. */
export interface Landing {
  /** Hands over the scrolling element. */
  setScroller: (element: HTMLElement | null) => void;
  /** Goes elsewhere from now on, for example because the reader wishes to see the end. */
  leave: () => void;
}

/**
 * Holds the message that a link leads to in its place until the list has come to rest or the reader acts. The list
 * itself goes to where it guesses the message to be and corrects that for a moment only, while the messages above are
 * measured for as long as the computer takes.
 */
export function useLanding({ messageId, roomAbove, goNear, onMove }: Target): Landing {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const moves = useRef({ goNear, onMove });
  const release = useRef<() => void>(() => undefined);

  useEffect(() => {
    moves.current = { goNear, onMove };
  });

  useEffect(() => {
    const feed = scroller?.querySelector<HTMLElement>('[role="feed"]');
    if (!scroller || !feed || messageId === null) return undefined;
    let frame = 0;
    let rest: ReturnType<typeof setTimeout> | undefined;

    const aim = (): void => {
      frame = 0;
      // It hides while it arranges itself for the first time, and is told of its place by that alone.
      if (feed.style.visibility === 'hidden') return;
      const item = feed.querySelector(`[data-message-id="${CSS.escape(messageId)}"]`);
      if (!item) {
        moves.current.onMove();
        moves.current.goNear();
        // A list that is busy with itself may let the wish pass, and then tells of no change.
        frame = requestAnimationFrame(aim);
        return;
      }
      const away = item.getBoundingClientRect().top - scroller.getBoundingClientRect().top - roomAbove;
      const last = scroller.scrollHeight - scroller.clientHeight;
      const top = Math.max(0, Math.min(last, scroller.scrollTop + away));
      if (Math.abs(top - scroller.scrollTop) <= 1) return;
      moves.current.onMove();
      scroller.scrollTop = top;
    };
    const onChange = (): void => {
      clearTimeout(rest);
      rest = setTimeout(stop, restMs);
      if (frame === 0) frame = requestAnimationFrame(aim);
    };
    const resized = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(onChange);
    const relaid = new MutationObserver(onChange);
    const page = scroller.ownerDocument;
    const quiet = { passive: true, capture: true };

    function stop(): void {
      clearTimeout(rest);
      cancelAnimationFrame(frame);
      resized?.disconnect();
      relaid.disconnect();
      scroller?.removeEventListener('scroll', onChange, quiet);
      for (const act of readerActs) page.removeEventListener(act, stop, quiet);
    }
    release.current = stop;
    resized?.observe(feed, { box: 'border-box' });
    relaid.observe(feed, { childList: true, attributeFilter: ['style'] });
    scroller.addEventListener('scroll', onChange, quiet);
    for (const act of readerActs) page.addEventListener(act, stop, quiet);
    onChange();
    return stop;
  }, [scroller, messageId, roomAbove]);

  const leave = useCallback(() => release.current(), []);
  return { setScroller, leave };
}
