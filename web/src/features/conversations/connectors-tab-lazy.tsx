import { Skeleton } from '@radix-ui/themes';
import { lazy, Suspense, type ComponentProps } from 'react';
import type { ConnectorsTab as Tab } from './connectors-tab';

const LoadedTab = lazy(() =>
  import('./connectors-tab').then((loaded) => ({ default: loaded.ConnectorsTab })),
);

/** The tab of connectors, loaded when it is first shown. */
export function ConnectorsTab(props: ComponentProps<typeof Tab>) {
  return (
    <Suspense fallback={<Skeleton height="170px" m="4" />}>
      <LoadedTab {...props} />
    </Suspense>
  );
}
