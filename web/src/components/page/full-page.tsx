import { Button, Callout, Code, Flex, Spinner, Text } from '@radix-ui/themes';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { useTitle } from '@/lib/use-title';
import styles from './page.module.css';

interface FullPageProps {
  children: ReactNode;
}

/** Something in the middle of the whole window. */
export function FullPage({ children }: FullPageProps) {
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

interface ErrorViewProps {
  /** The sentence at the top. */
  message: string;
  /** Technical detail behind a disclosure, for support. */
  detail?: string;
  onCopy?: () => void;
  action: { label: string; onClick: () => void };
}

/** The error page's content. */
export function ErrorView({ message, detail, onCopy, action }: ErrorViewProps) {
  useTitle(message);
  return (
    <FullPage>
      <Flex direction="column" gap="4" width="100%" maxWidth="480px">
        <Callout.Root color="red" role="alert">
          <Callout.Icon>
            <TriangleAlert size={16} />
          </Callout.Icon>
          <Text asChild size="2">
            <h1 className={cx(styles.message)}>{message}</h1>
          </Text>
        </Callout.Root>
        {detail !== undefined && detail !== '' && (
          <details>
            <Text asChild size="2" color="gray">
              <summary>Details</summary>
            </Text>
            <Code size="2" variant="soft" className={cx(styles.detail)}>
              {detail}
            </Code>
          </details>
        )}
        <Flex gap="3">
          <Button onClick={action.onClick}>{action.label}</Button>
          {onCopy && detail !== undefined && (
            <Button variant="soft" color="gray" onClick={onCopy}>
              Copy
            </Button>
          )}
        </Flex>
      </Flex>
    </FullPage>
  );
}
