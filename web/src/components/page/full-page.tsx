import { Flex, Spinner, Text } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import styles from './page.module.css';

interface FullPageProps {
  children: ReactNode;
}

/** Content in the middle of the whole window. */
function FullPage({ children }: FullPageProps) {
  return <div className={styles.full}>{children}</div>;
}

interface FullSpinnerProps {
  /** What is waited for, read out by screen readers and shown small. */
  label: string;
}

/** The full-screen spinner of the guard. */
export function FullSpinner({ label }: FullSpinnerProps) {
  return (
    <FullPage>
      <Flex direction="column" align="center" gap="3" role="status">
        <Spinner size="3" />
        <Text size="2" color="gray">
          {label}
        </Text>
      </Flex>
    </FullPage>
  );
}
