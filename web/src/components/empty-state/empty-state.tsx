import { Heading, Text } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

export interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  /** What would be shown here, and how to get it. */
  children?: ReactNode;
  /** One or two buttons, if they help. */
  action?: ReactNode;
  /** `h1` if it is the only content of the page. */
  as?: 'h1' | 'h2';
}

/** Shown if a list or a page has nothing to show. */
export function EmptyState({ icon, title, children, action, as = 'h2' }: EmptyStateProps) {
  return (
    <div className={styles.root}>
      <div className={styles.icon} aria-hidden="true">
        {icon}
      </div>
      <Heading as={as} size="4" weight="medium">
        {title}
      </Heading>
      {children !== undefined && (
        <Text as="div" size="2" color="gray" className={styles.text}>
          {children}
        </Text>
      )}
      {action !== undefined && action !== null && action !== false && (
        <div className={styles.actions}>{action}</div>
      )}
    </div>
  );
}
