import { DropdownMenu, IconButton } from '@radix-ui/themes';
import { Copy, Ellipsis, History, Link } from 'lucide-react';

import { copyToClipboard } from '@/lib/clipboard';
import { common } from '@/messages/common';
import { transcript as t } from '@/messages/transcript';

import type { TranscriptMessage } from './message';
import type { TurnActions } from './turn-actions';
import styles from './turn.module.css';

interface TurnMenuProps extends Pick<TurnActions, 'canRewind' | 'onRewind' | 'onShare' | 'onNotice'> {
  question: TranscriptMessage | null;
  /** Empty while the answer is under way. */
  answers: readonly TranscriptMessage[];
}

/** What one can do with a turn. */
export function TurnMenu({ question, answers, canRewind, onRewind, onShare, onNotice }: TurnMenuProps) {
  const text = answers.map((message) => message.text).join('\n\n');
  const rewind = canRewind === true && question !== null ? onRewind : undefined;
  const shared = answers.at(-1) ?? question;
  if (text === '' && rewind === undefined && onShare === undefined) return null;

  async function copy(): Promise<void> {
    const worked = await copyToClipboard(text);
    onNotice?.(
      worked ? { tone: 'success', text: common('copied') } : { tone: 'error', text: common('copy.failed') },
    );
  }

  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger>
        <IconButton
          type="button"
          size="1"
          variant="ghost"
          color="gray"
          className={styles.menu ?? ''}
          aria-label={t('menu')}
        >
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content size="1" align="end">
        {text !== '' && (
          <DropdownMenu.Item onSelect={() => void copy()}>
            <Copy size={14} aria-hidden /> {t('menu.copy')}
          </DropdownMenu.Item>
        )}
        {onShare !== undefined && shared !== null && (
          <DropdownMenu.Item
            onSelect={() => {
              onShare(shared);
            }}
          >
            <Link size={14} aria-hidden /> {t('menu.share')}
          </DropdownMenu.Item>
        )}
        {rewind !== undefined && question !== null && (
          <DropdownMenu.Item
            onSelect={() => {
              rewind(question);
            }}
          >
            <History size={14} aria-hidden /> {t('menu.rewind')}
          </DropdownMenu.Item>
        )}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
