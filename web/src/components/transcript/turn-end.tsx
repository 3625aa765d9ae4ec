import { Button } from '@radix-ui/themes';
import { CircleAlert, CircleStop, RotateCcw, Unplug } from 'lucide-react';
import type { MessageStatus } from '@/lib/wire';
import { transcript as t } from '@/messages/transcript';
import type { TranscriptMessage } from './message';
import type { TurnActions } from './turn-actions';
import styles from './turn.module.css';

interface TurnEndProps extends Pick<TurnActions, 'canRetry' | 'onRetry'> {
  status: MessageStatus;
  /** The message that describes the end, if there is one. */
  end: TranscriptMessage | null;
  isAnswered: boolean;
}

const endings = {
  // A user stopped it on purpose: this is not an error.
  stopped: { icon: CircleStop, text: 'end.stopped' },
  interrupted: { icon: Unplug, text: 'end.interrupted' },
  failed: { icon: CircleAlert, text: 'end.failed' },
} as const;

/** How a turn ended if it was not successful, or without an answer, in one line, with a button to try again. */
export function TurnEnd({ status, end, isAnswered, canRetry, onRetry }: TurnEndProps) {
  if (status === 'complete' && !isAnswered) return <p className={styles.quiet}>{t('answer.noSummary')}</p>;
  if (status === 'complete' || status === 'streaming') return null;
  const { icon: Icon, text } = endings[status];
  const note = end?.note ?? null;
  const again = status !== 'stopped' && canRetry === true && end !== null ? onRetry : undefined;
  return (
    <div className={styles.end} data-status={status} role="note">
      <Icon size={15} aria-hidden />
      <span>
        {t(text)}
        {note !== null && note !== '' && ` ${note}`}
      </span>
      {again !== undefined && end !== null && (
        <Button
          type="button"
          size="1"
          variant="surface"
          color="gray"
          onClick={() => {
            again(end);
          }}
        >
          <RotateCcw size={12} aria-hidden /> {t('retry')}
        </Button>
      )}
    </div>
  );
}
