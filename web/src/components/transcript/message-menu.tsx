import { DropdownMenu, Flex, IconButton } from '@radix-ui/themes';
import { Ellipsis, History } from 'lucide-react';

import { CopyButton, type NoticeHandler } from '../code-block';
import type { TranscriptMessage } from './message';
import styles from './message-card.module.css';

/** Props of {@link MessageMenu}. */
export interface MessageMenuProps {
  message: TranscriptMessage;
  onRewind?: ((message: TranscriptMessage) => void) | undefined;
  onNotice?: NoticeHandler | undefined;
}

/** What one can do with a message. Quiet until the message is pointed at or focused. */
export function MessageMenu({ message, onRewind, onNotice }: MessageMenuProps) {
  return (
    <Flex align="center" gap="3" className={styles.menu}>
      {message.text !== '' && (
        <CopyButton
          text={message.text}
          label="Copy message"
          notice="Copied to clipboard!"
          onNotice={onNotice}
        />
      )}
      {onRewind !== undefined && (
        <DropdownMenu.Root modal={false}>
          <DropdownMenu.Trigger>
            <IconButton type="button" size="1" variant="ghost" color="gray" aria-label="Message actions">
              <Ellipsis size={15} aria-hidden />
            </IconButton>
          </DropdownMenu.Trigger>
          <DropdownMenu.Content size="1" align="end">
            <DropdownMenu.Item
              onSelect={() => {
                onRewind(message);
              }}
            >
              <History size={14} aria-hidden /> Rewind to here
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Root>
      )}
    </Flex>
  );
}
