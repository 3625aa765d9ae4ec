import { Text, Theme } from '@radix-ui/themes';
import { useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { cx } from '@/lib/cx';
import { watchLeaving } from './leaving';
import { keepInPlace, type Side } from './placement';
import styles from './tooltip-bubble.module.css';

/** What a tooltip was opened by. */
export interface Occasion {
  /** The element that it explains. */
  anchor: HTMLElement;
  by: 'pointer' | 'focus';
  /** It opened after a delay, and appears with an animation. */
  isSlow: boolean;
}

export interface BubbleProps extends Occasion {
  id: string;
  content: string;
  side: Side;
  onClose: () => void;
}

/** An open tooltip, with the design system's look. */
export function TooltipBubble({ anchor, by, isSlow, id, content, side, onClose }: BubbleProps) {
  const bubble = useRef<HTMLDivElement>(null);
  const arrow = useRef<HTMLSpanElement>(null);

  useLayoutEffect(() => {
    if (bubble.current === null || arrow.current === null) return undefined;
    const parts = { anchor, bubble: bubble.current, arrow: arrow.current };
    const stops = [keepInPlace(parts, side, onClose), watchLeaving(parts, by, onClose)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [anchor, by, side, onClose]);

  // The page has replaced the anchor by another element.
  useLayoutEffect(() => {
    if (!anchor.isConnected) onClose();
  });

  return createPortal(
    <Theme asChild>
      <div
        ref={bubble}
        id={id}
        role="tooltip"
        className={cx('rt-TooltipContent', styles.bubble)}
        data-state={isSlow ? 'delayed-open' : 'instant-open'}
      >
        <Text as="p" size="1" className="rt-TooltipText">
          {content}
        </Text>
        <span ref={arrow} className={styles.arrow} aria-hidden="true">
          <svg className="rt-TooltipArrow" width="10" height="5" viewBox="0 0 10 5">
            <polygon points="0,0 10,0 5,5" />
          </svg>
        </span>
      </div>
    </Theme>,
    // A native dialog covers everything outside of it, and disables pointer events there.
    anchor.closest('dialog') ?? document.body,
  );
}
