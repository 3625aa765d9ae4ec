import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { onDemand } from './on-demand';

/** A component that is loaded when it is first shown; `preload` loads it before that. */
export type ShownLater<P> = ComponentType<P> & { preload: () => Promise<unknown> };

/**
 * A component whose file is loaded when it is first shown, with `waiting` in its place meanwhile. Once the file is
 * loaded, further ones are rendered at once.
 */
export function shownLater<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: (props: P) => ReactNode,
): ShownLater<P> {
  const module = onDemand(load);
  const Coming = lazy(async () => ({ default: await module.load() })) as unknown as ComponentType<P>;
  function Shown(props: P) {
    // It must not change as long as this component is shown.
    const [Body] = useState<ComponentType<P>>(() => module.now() ?? Coming);
    return (
      <Suspense fallback={waiting(props)}>
        <Body {...props} />
      </Suspense>
    );
  }
  return Object.assign(Shown, { preload: module.load });
}
