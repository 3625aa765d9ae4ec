import { IconButton } from '@radix-ui/themes';
import { Copy, Ellipsis, History, Link } from 'lucide-react';
import { Menu } from '@/components/menu/menu';
import { copyRich } from '@/lib/clipboard';
import { common } from '@/messages/common';
import { transcript as t } from '@/messages/transcript';
import type { TranscriptMessage } from './message';
import type { TurnActions } from './turn-actions';
import styles from './turn.module.css';

interface TurnMenuProps extends Pick<TurnActions, 'canRewind' | 'onRewind' | 'onShare' | 'onNotice'> {
  question: TranscriptMessage | null;
  /** Empty while the answer is being made. */
  answers: readonly TranscriptMessage[];
}

/** The actions for a turn. */
export function TurnMenu({ question, answers, canRewind, onRewind, onShare, onNotice }: TurnMenuProps) {
  const text = answers.map((message) => message.text).join('\n\n');
  const rewind = canRewind === true && question !== null ? onRewind : undefined;
  const shared = answers.at(-1) ?? question;
  if (text === '' && rewind === undefined && onShare === undefined) return null;

  async function copy(): Promise<void> {
    // The parser is already loaded if an answer is shown.
    const read = import('@/components/markdown/copied-markdown');
    const worked = await copyRich(
      read.then(({ copiedMarkdown }) => copiedMarkdown(text)),
      text,
    );
    onNotice?.(
      worked ? { tone: 'success', text: common('copied') } : { tone: 'error', text: common('copy.failed') },
    );
  }

  return (
    <Menu
      size="1"
      align="end"
      trigger={
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
      }
    >
      {(M) => (
        <>
          {text !== '' && (
            <M.Item onSelect={() => void copy()}>
              <Copy size={14} aria-hidden /> {t('menu.copy')}
            </M.Item>
          )}
          {onShare !== undefined && shared !== null && (
            <M.Item
              onSelect={() => {
                onShare(shared);
              }}
            >
              <Link size={14} aria-hidden /> {t('menu.share')}
            </M.Item>
          )}
          {rewind !== undefined && question !== null && (
            <M.Item
              onSelect={() => {
                rewind(question);
              }}
            >
              <History size={14} aria-hidden /> {t('menu.rewind')}
            </M.Item>
          )}
        </>
      )}
    </Menu>
  );
}
