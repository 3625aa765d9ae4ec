import { Slot } from '@radix-ui/themes';
import { cloneElement, useId, type ReactElement } from 'react';
import { cx } from '@/lib/cx';
import { tooltips } from './on-demand';
import type { Side } from './placement';
import { useTooltip } from './use-tooltip';

interface TooltipProps {
  content: string;
  /** The preferred side; if there is no space, the opposite side is used, or any side with space. */
  side?: Side;
  /** The element that is hovered or has the focus. It must accept the props of an HTML element. */
  children: ReactElement;
}

/** Loads the parts of tooltips in advance, once a page is in use. */
export const preloadTooltips = tooltips.load;

/**
 * Explains an element in a few words, while it is hovered or has the keyboard focus; meanwhile these words are also
 * its accessible description. The design system's own tooltip adds a positioning library of 12 kB to the first
 * load. This one looks the same, and its code is loaded when a user points at an element for the first time.
 */
export function Tooltip({ content, side = 'top', children }: TooltipProps) {
  const id = useId();
  const { shown, close, triggers } = useTooltip();
  const child = children as ReactElement<{ 'aria-describedby'?: string }>;
  return (
    <>
      <Slot {...triggers}>
        {shown ? cloneElement(child, { 'aria-describedby': cx(child.props['aria-describedby'], id) }) : child}
      </Slot>
      {shown && <shown.Bubble {...shown} id={id} content={content} side={side} onClose={close} />}
    </>
  );
}
