import { Button, Flex, Spinner, Text } from '@radix-ui/themes';
import { type ComponentPropsWithRef, useLayoutEffect } from 'react';
import type { Components, ContextProp, ScrollSeekPlaceholderProps } from 'react-virtuoso';
import { common } from '@/messages/common';
import { transcript as t } from '@/messages/transcript';
import type { Turn } from './turns';
import styles from './transcript.module.css';

/**
 * The state of the messages before those that are shown: there are `none`, or they can be, are being, or could not
 * be loaded.
 */
export type EarlierMessages = 'none' | 'idle' | 'loading' | 'failed';

/** What the fixed parts of the list need to know. */
export interface TranscriptContext {
  label: string;
  earlier: EarlierMessages;
  onRetryEarlier: (() => void) | undefined;
  isRunning: boolean;
  /** Called when the list hides itself until it knows its first heights, and when it shows itself again. */
  onArranging: (isHidden: boolean) => void;
}

type WithContext = ContextProp<TranscriptContext>;

function List({ context, ...props }: ComponentPropsWithRef<'div'> & WithContext) {
  const { label, isRunning, onArranging } = context;
  const isHidden = props.style?.visibility === 'hidden';
  useLayoutEffect(() => {
    onArranging(isHidden);
  }, [isHidden, onArranging]);
  return <div {...props} role="feed" aria-label={label} aria-busy={isRunning} />;
}

function Header({ context }: WithContext) {
  return (
    <Flex align="center" justify="center" gap="2" className={styles.header}>
      {context.earlier === 'loading' && (
        <>
          <Spinner size="1" />
          <Text size="1" color="gray">
            {t('earlier.loading')}
          </Text>
        </>
      )}
      {context.earlier === 'failed' && (
        <>
          <Text size="1" color="gray">
            {t('earlier.failed')}
          </Text>
          <Button size="1" variant="ghost" onClick={context.onRetryEarlier}>
            {common('retry')}
          </Button>
        </>
      )}
    </Flex>
  );
}

function Footer() {
  return <div className={styles.footer} />;
}

/** Placeholder for a turn that is scrolled past during a fling. */
function ScrollSeekPlaceholder({ height }: ScrollSeekPlaceholderProps) {
  return <div className={styles.flung} style={{ height }} data-flung aria-hidden />;
}

/**
 * The fixed parts of the list. They are defined once: a new component type per render would rebuild the whole list.
 */
export const transcriptParts: Components<Turn, TranscriptContext> = {
  List,
  Header,
  Footer,
  ScrollSeekPlaceholder,
};
