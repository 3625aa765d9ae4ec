import { lazy, Suspense, useState, type ComponentType } from 'react';
import { onDemand } from './on-demand';

/** A dialog that is loaded when it is first opened; `preload` loads it before that. */
export type OpenedLater<P> = ComponentType<P> & { preload: () => Promise<unknown> };

/**
 * A dialog whose module is loaded when it is first opened: a page does not load dialogs that are not used yet. Once
 * loaded it stays mounted, so that it can close with its animation.
 */
export function openedLater<P extends object>(
  load: () => Promise<ComponentType<P>>,
  isOpen: (props: P) => boolean,
): OpenedLater<P> {
  const module = onDemand(load);
  const Coming = lazy(async () => ({ default: await module.load() })) as unknown as ComponentType<P>;
  function Opened(props: P) {
    // It must not change as long as this component is mounted.
    const [Body, setBody] = useState<ComponentType<P> | null>(null);
    if (Body === null) {
      if (isOpen(props)) setBody(() => module.now() ?? Coming);
      return null;
    }
    return (
      <Suspense>
        <Body {...props} />
      </Suspense>
    );
  }
  return Object.assign(Opened, { preload: module.load });
}
