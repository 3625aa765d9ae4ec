import { Button, Flex, Spinner, Text } from '@radix-ui/themes';
import type { ComponentPropsWithRef } from 'react';
import type { Components, ContextProp } from 'react-virtuoso';

import type { TranscriptMessage } from './message';
import styles from './transcript.module.css';

/** The messages before those that are shown: there are `none`, or they can be, are being, or could not be loaded. */
export type EarlierMessages = 'none' | 'idle' | 'loading' | 'failed';

/** What the fixed parts of the list need to know. */
export interface TranscriptContext {
  label: string;
  earlier: EarlierMessages;
  onRetryEarlier: (() => void) | undefined;
  working: string | null;
}

type WithContext = ContextProp<TranscriptContext>;

function List({ context, ...props }: ComponentPropsWithRef<'div'> & WithContext) {
  return <div {...props} role="feed" aria-label={context.label} aria-busy={context.working !== null} />;
}

function Header({ context }: WithContext) {
  return (
    <Flex align="center" justify="center" gap="2" className={styles.header}>
      {context.earlier === 'loading' && (
        <>
          <Spinner size="1" />
          <Text size="1" color="gray">
            Loading earlier messages
          </Text>
        </>
      )}
      {context.earlier === 'failed' && (
        <>
          <Text size="1" color="gray">
            Earlier messages could not be loaded.
          </Text>
          <Button size="1" variant="ghost" onClick={context.onRetryEarlier}>
            Try again
          </Button>
        </>
      )}
    </Flex>
  );
}

function Footer({ context }: WithContext) {
  return (
    <div className={styles.footer}>
      {context.working !== null && (
        <Flex align="center" gap="2" className={styles.item}>
          <Spinner size="1" />
          <Text size="2" color="gray">
            {context.working}
          </Text>
        </Flex>
      )}
    </div>
  );
}

/** The list's fixed parts. Defined once: a new component type per render would rebuild the whole list. */
export const transcriptParts: Components<TranscriptMessage, TranscriptContext> = {
  List,
  Header,
  Footer,
};
