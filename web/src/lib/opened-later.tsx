import { lazy, Suspense, useState, type ComponentType } from 'react';

/**
 * A dialog whose module comes when it is first opened: a page that asks nothing yet need not carry the questions. Once
 * here it stays, so that it can close as it should.
 */
export function openedLater<P extends object>(
  load: () => Promise<ComponentType<P>>,
  isOpen: (props: P) => boolean,
): ComponentType<P> {
  const Body = lazy(async () => ({ default: await load() })) as unknown as ComponentType<P>;
  return function OpenedLater(props: P) {
    const [wanted, setWanted] = useState(false);
    const open = isOpen(props);
    if (open && !wanted) setWanted(true);
    if (!open && !wanted) return null;
    return (
      <Suspense>
        <Body {...props} />
      </Suspense>
    );
  };
}
