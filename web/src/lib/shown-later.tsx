import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { onDemand } from './on-demand';

/** A component that comes with the first one that is shown; `preload` has it here before that. */
export type ShownLater<P> = ComponentType<P> & { preload: () => Promise<unknown> };

/**
 * A component whose file comes with the first one that is shown, with `waiting` in its place meanwhile. Once the file
 * is here the next ones are drawn at once.
 */
export function shownLater<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P) => ReactNode,
): ShownLater<P> {
  const module = onDemand(load);
  const Coming = lazy(async () => ({ default: await module.load() })) as unknown as ComponentType<P>;
  function Shown(props: P) {
    // The same for as long as this one is shown.
    const [Body] = useState<ComponentType<P>>(() => module.now() ?? Coming);
    return (
      <Suspense fallback={waiting(props)}>
        <Body {...props} />
      </Suspense>
    );
  }
  return Object.assign(Shown, { preload: module.load });
}
