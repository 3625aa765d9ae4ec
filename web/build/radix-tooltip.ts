import type { ReactNode } from 'react';

/**
 * Replaces Radix's tooltip in the build, since the app has its own (`components/tooltip`). Radix's Theme wraps each
 * page in it, and the original would add a positioning library: 12 kB of each first load.
 */
export function Provider({ children }: { children: ReactNode }): ReactNode {
  return children;
}

/** The design system's tooltip imports these parts, but no page renders it. */
function notHere(): never {
  throw new Error('the tooltips of the app are components/tooltip');
}

export { notHere as Arrow, notHere as Content, notHere as Portal, notHere as Root, notHere as Trigger };
