import type { ReactNode } from 'react';

/**
 * Stands in the build for Radix's tooltip, since the app has its own (`components/tooltip`). Radix's Theme puts this
 * around each page, and the true one would bring the placing of boxes with it: 12 kB of each first load.
 */
export function Provider({ children }: { children: ReactNode }): ReactNode {
  return children;
}

/** The design system's tooltip names these parts, and no page draws it. */
function notHere(): never {
  throw new Error('the tooltips of the app are components/tooltip');
}

export { notHere as Arrow, notHere as Content, notHere as Portal, notHere as Root, notHere as Trigger };
