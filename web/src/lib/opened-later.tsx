import { lazy, Suspense, useState, type ComponentType } from 'react';
import { onDemand } from './on-demand';

/** A dialog that comes when it is first opened; `preload` has it here before that. */
export type OpenedLater<P> = ComponentType<P> & { preload: () => Promise<unknown> };

/**
 * A dialog whose module comes when it is first opened: a page that asks nothing yet need not carry the questions. Once
 * here it stays, so that it can close as it should.
 */
export function openedLater<P extends object>(
  load: () => Promise<ComponentType<P>>,
  isOpen: (props: P) => boolean,
): OpenedLater<P> {
  const module = onDemand(load);
  const Coming = lazy(async () => ({ default: await module.load() })) as unknown as ComponentType<P>;
  function Opened(props: P) {
    // The same for as long as this one stands here.
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
