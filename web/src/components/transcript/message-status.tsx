import { Button, Callout, Flex, Spinner, Text } from '@radix-ui/themes';
import { CircleAlert, CircleStop, RotateCcw, Unplug } from 'lucide-react';

import type { MessageStatus } from './message';
import styles from './message-card.module.css';

/** Props of {@link MessageStatusLine}. */
export interface MessageStatusLineProps {
  status: MessageStatus;
  note: string | null;
  /** Given where trying again is possible. */
  onRetry?: (() => void) | undefined;
}

const endings = {
  stopped: { icon: CircleStop, color: 'gray', text: 'Stopped before it was finished.' },
  interrupted: {
    icon: Unplug,
    color: 'amber',
    text: 'Interrupted. What arrived is shown; the rest is missing.',
  },
  failed: { icon: CircleAlert, color: 'red', text: 'Failed. This answer could not be completed.' },
} as const;

/** How an answer is doing, or how it ended when it did not end well. Nothing for a complete one. */
export function MessageStatusLine({ status, note, onRetry }: MessageStatusLineProps) {
  if (status === 'complete') return null;
  if (status === 'streaming') {
    return note === null ? null : (
      <Flex align="center" gap="2" mt="2">
        <Spinner size="1" />
        <Text size="1" color="gray">
          {note}
        </Text>
      </Flex>
    );
  }
  const ending = endings[status];
  // Someone stopped it on purpose: a fact, not a fault.
  if (status === 'stopped') {
    return (
      <Flex align="center" gap="2" mt="2">
        <Text color="gray" style={{ display: 'flex' }}>
          <ending.icon size={14} aria-hidden />
        </Text>
        <Text size="1" color="gray">
          {ending.text}
          {note !== null && ` ${note}`}
        </Text>
      </Flex>
    );
  }
  return (
    <Callout.Root color={ending.color} variant="surface" size="1" mt="3" className={styles.strong}>
      <Callout.Icon>
        <ending.icon size={15} aria-hidden />
      </Callout.Icon>
      <Flex align="center" justify="between" gap="3" wrap="wrap" flexGrow="1">
        <Callout.Text>
          {ending.text}
          {note !== null && ` ${note}`}
        </Callout.Text>
        {onRetry !== undefined && (
          <Button
            type="button"
            size="1"
            variant="surface"
            color={ending.color}
            className={styles.strong}
            onClick={onRetry}
          >
            <RotateCcw size={12} aria-hidden /> Retry
          </Button>
        )}
      </Flex>
    </Callout.Root>
  );
}
