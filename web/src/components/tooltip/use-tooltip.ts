import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type ComponentType,
  type FocusEvent,
  type PointerEvent,
} from 'react';
import { tooltips } from './on-demand';
import { nowShown, waitNow } from './one-shown';
import type { BubbleProps, Occasion } from './tooltip-bubble';

interface Shown extends Occasion {
  Bubble: ComponentType<BubbleProps>;
}

interface Tooltip {
  shown: Shown | null;
  close: () => void;
  /** Handlers for the anchor. */
  triggers: {
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerLeave: () => void;
    onPointerDown: () => void;
    onClick: () => void;
    onFocus: (event: FocusEvent<HTMLElement>) => void;
    onBlur: () => void;
  };
}

/** Decides when a tooltip opens. Once it is shown, it reports itself when it must close (`leaving.ts`). */
export function useTooltip(): Tooltip {
  const [shown, setShown] = useState<Shown | null>(null);
  const asked = useRef<AbortController | null>(null);
  // After a press, no tooltip opens until the pointer enters again.
  const isVisited = useRef(false);

  const close = useCallback(() => {
    asked.current?.abort();
    asked.current = null;
    setShown(null);
  }, []);
  useEffect(() => () => asked.current?.abort(), []);
  useEffect(() => (shown ? nowShown(close) : undefined), [shown, close]);

  const open = (occasion: Occasion, wait: number): void => {
    asked.current?.abort();
    const { signal } = (asked.current = new AbortController());
    const show = (Bubble: ComponentType<BubbleProps>): void => {
      if (!signal.aborted) setShown({ ...occasion, Bubble });
    };
    const whenRested = (): void => {
      const here = tooltips.now();
      if (here) show(here);
      // If loading fails, there is no tooltip, and the next one tries again: a tooltip is not worth an error
      // message.
      else tooltips.load().then(show, () => undefined);
    };
    if (wait === 0) {
      whenRested();
      return;
    }
    tooltips.load().catch(() => undefined);
    const timer = setTimeout(whenRested, wait);
    signal.addEventListener('abort', () => clearTimeout(timer));
  };

  return {
    shown,
    close,
    triggers: {
      // Not on enter: elements that scroll past below a resting pointer must not open a tooltip.
      onPointerMove: (event) => {
        if (event.pointerType === 'touch' || isVisited.current || !isWithin(event)) return;
        isVisited.current = true;
        if (shown) return;
        const wait = waitNow();
        open({ anchor: event.currentTarget, by: 'pointer', isSlow: wait > 0 }, wait);
      },
      onPointerLeave: () => {
        isVisited.current = false;
        if (!shown) close();
      },
      onPointerDown: close,
      onClick: close,
      onFocus: (event) => {
        if (shown || !isWithin(event) || !event.target.matches(':focus-visible')) return;
        open({ anchor: event.currentTarget, by: 'focus', isSlow: false }, 0);
      },
      onBlur: () => {
        if (shown?.by !== 'pointer') close();
      },
    },
  };
}

/** React also passes on the events of a menu or a dialog inside, which are elsewhere in the document. */
function isWithin({ currentTarget, target }: PointerEvent<HTMLElement> | FocusEvent<HTMLElement>): boolean {
  return target instanceof Node && currentTarget.contains(target);
}
