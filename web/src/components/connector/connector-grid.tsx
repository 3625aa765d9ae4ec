import { Skeleton } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import styles from './connector.module.css';

/** Cards side by side, as many as there is room for. */
export function ConnectorGrid({ children, label }: { children: ReactNode; label: string }) {
  return (
    <ul className={styles.grid} aria-label={label}>
      {children}
    </ul>
  );
}

const skeletons = ['a', 'b', 'c', 'd', 'e', 'f'];

/** What stands in while the cards load. */
export function ConnectorGridSkeleton() {
  return (
    <div className={styles.grid} role="status" aria-label="Loading connectors">
      {skeletons.map((key) => (
        <Skeleton key={key} height="148px" />
      ))}
    </div>
  );
}
