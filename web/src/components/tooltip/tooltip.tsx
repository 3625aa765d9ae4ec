import { Slot } from '@radix-ui/themes';
import { cloneElement, useId, type ReactElement } from 'react';
import { cx } from '@/lib/cx';
import { tooltips } from './on-demand';
import type { Side } from './placement';
import { useTooltip } from './use-tooltip';

interface TooltipProps {
  content: string;
  /** Where it stands if there is room; else at the opposite side, or where there is some. */
  side?: Side;
  /** What is pointed at or has the focus. It has to take the props of an element of HTML. */
  children: ReactElement;
}

/** Fetches what tooltips are drawn with, for a page that is in use. */
export const preloadTooltips = tooltips.load;

/**
 * Says in a few words what something is, while it is pointed at or has the focus by the keyboard; meanwhile it is also
 * described by them. The design system's own tooltip brings the placing of boxes into the first load, 12 kB of it. This
 * one looks the same, and what draws it comes when somebody points at something for the first time.
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
