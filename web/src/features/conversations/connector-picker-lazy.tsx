import { lazy, Suspense, type ComponentProps } from 'react';
import type { ConnectorPicker as Picker } from './connector-picker';

// A dialog that most conversations never open.
const LoadedPicker = lazy(() =>
  import('./connector-picker').then((loaded) => ({ default: loaded.ConnectorPicker })),
);

/** The connector picker, loaded when it is first opened. */
export function ConnectorPicker(props: ComponentProps<typeof Picker>) {
  return (
    <Suspense fallback={null}>
      <LoadedPicker {...props} />
    </Suspense>
  );
}
