import { useCallback, useEffect, useRef, useState } from 'react';

// The list counts as settled when nothing in it has changed for this time.
const restMs = 2000;

/** Events that show that the reader scrolls. */
const readerActs = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** The target of a link. */
export interface Target {
  /** The id of the message; `null` if there is no link to an existing message. */
  messageId: string | null;
  /** How far below the edge it is to be placed, in px. */
  roomAbove: number;
  /** Makes the list scroll near the message, with estimated heights of the others, so that it renders the message. */
  goNear: () => void;
  /** Called before the list is moved. */
  onMove: () => void;
}

/** Brings a message to its place, and holds it there. */
export interface Landing {
  /** Sets the scrolling element. */
  setScroller: (element: HTMLElement | null) => void;
  /** Stops holding the message, for example because the reader wants to see the end. */
  leave: () => void;
}

/**
 * Holds the target message of a link in its place until the list has settled or the reader acts. The list itself
 * scrolls to an estimated position and corrects it for a short time only, whereas measuring the messages above may
 * take longer on a slow computer.
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
      // The list is hidden while it arranges itself for the first time, and must not be scrolled by this hook then.
      if (feed.style.visibility === 'hidden') return;
      const item = feed.querySelector(`[data-message-id="${CSS.escape(messageId)}"]`);
      if (!item) {
        moves.current.onMove();
        moves.current.goNear();
        // A list that is busy may ignore the request, and then no change is observed.
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
