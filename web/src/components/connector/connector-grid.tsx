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
