import { arrow as arrowTo, autoUpdate, computePosition, flip, offset, shift } from '@floating-ui/dom';

export type Side = 'top' | 'right' | 'bottom' | 'left';

export interface Parts {
  anchor: HTMLElement;
  bubble: HTMLElement;
  arrow: HTMLElement;
}

/** The space between the anchor and the arrow, and at the edges of the window, in px. */
const gap = 4;
const edge = 10;
/** The arrow takes its width along the edge of the bubble, and extends from it by its height. */
const arrowWidth = 10;
const arrowHeight = 5;

/**
 * Places a tooltip next to its anchor, within the window, as long as both exist. Positions are set by script on the
 * elements: our policy refuses style attributes in markup, but not this. Returns a function to stop.
 */
export function keepInPlace(parts: Parts, wanted: Side, onGone: () => void): () => void {
  const { anchor, bubble } = parts;
  let stopped = false;
  const place = async (): Promise<void> => {
    if (!anchor.isConnected) {
      onGone();
      return;
    }
    const { x, y, placement, middlewareData } = await computePosition(anchor, bubble, {
      placement: wanted,
      strategy: 'fixed',
      middleware: [
        offset(gap + arrowHeight),
        shift({ padding: edge }),
        // In a narrow window there may be no space at either side of the anchor: then it is placed above or below.
        flip({ padding: edge, fallbackAxisSideDirection: 'start' }),
        arrowTo({ element: parts.arrow }),
      ],
    });
    if (stopped) return;
    const side = placement as Side;
    bubble.dataset['side'] = side;
    Object.assign(bubble.style, { left: `${onPixel(x)}px`, top: `${onPixel(y)}px`, visibility: 'visible' });
    pointAt(parts, side, middlewareData.arrow ?? {});
  };
  const stop = autoUpdate(anchor, bubble, () => void place());
  return () => {
    stopped = true;
    stop();
  };
}

/** Positions the arrow along the bubble. The opening animation starts at the tip of the arrow. */
function pointAt({ bubble, arrow }: Parts, side: Side, at: { x?: number; y?: number }): void {
  const isUpright = side === 'top' || side === 'bottom';
  arrow.style.left = isUpright ? `${at.x ?? 0}px` : '';
  arrow.style.top = isUpright ? '' : `${at.y ?? 0}px`;
  const along = `${((isUpright ? at.x : at.y) ?? 0) + arrowWidth / 2}px`;
  const across = side === 'top' || side === 'left' ? `calc(100% + ${arrowHeight}px)` : `-${arrowHeight}px`;
  bubble.style.transformOrigin = isUpright ? `${along} ${across}` : `${across} ${along}`;
}

/** Text between two pixels of the screen is blurred. */
function onPixel(value: number): number {
  const perUnit = window.devicePixelRatio || 1;
  return Math.round(value * perUnit) / perUnit;
}
