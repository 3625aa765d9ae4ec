import { Button } from '@radix-ui/themes';
import { Clock } from 'lucide-react';
import { conversation as t } from '@/messages/conversation';
import styles from './conversations.module.css';

interface QueuedQuestionProps {
  text: string;
  /** A send or a stop is under way. */
  busy: boolean;
  onTakeBack: () => void;
  /** Stops the answer, which sends the question. Left out if no answer is being generated. */
  onSendNow?: (() => void) | undefined;
}

/** A question that was asked while an answer is being generated. */
export function QueuedQuestion({ text, busy, onTakeBack, onSendNow }: QueuedQuestionProps) {
  return (
    <div className={styles.queued}>
      <Clock size={14} aria-hidden />
      <span className={styles.queuedText}>
        <span className={styles.queuedWhen}>{t('queue.waits')}</span> <bdi>{text}</bdi>
      </span>
      <Button size="1" variant="ghost" color="gray" disabled={busy} onClick={onTakeBack}>
        {t('queue.takeBack')}
      </Button>
      {onSendNow !== undefined && (
        <Button size="1" variant="ghost" disabled={busy} onClick={onSendNow}>
          {t('queue.now')}
        </Button>
      )}
    </div>
  );
}
