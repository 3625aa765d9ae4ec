import { memo } from 'react';
import { formatAgo, formatMoment } from '@/lib/format';
import { transcript as t } from '@/messages/transcript';
import { FoldedText } from './folded-text';
import type { TranscriptMessage } from './message';
import styles from './turn.module.css';

interface TurnQuestionProps {
  message: TranscriptMessage;
  now: number;
  /** The person who reads the transcript. */
  readerId: string | null;
  isHighlighted: boolean;
}

/** The question. Its author is named only for other readers. */
export const TurnQuestion = memo(function TurnQuestion({
  message,
  now,
  readerId,
  isHighlighted,
}: TurnQuestionProps) {
  const isOwn = (message.authorId ?? readerId) === readerId;
  const author = message.author ?? t('someone');
  return (
    <article
      className={styles.question}
      data-role="user"
      data-message-id={message.id}
      data-highlighted={isHighlighted || undefined}
      aria-label={isOwn ? t('question.own') : t('question.from', { name: author })}
    >
      {!isOwn && <span className={styles.author}>{author}</span>}
      <FoldedText text={message.text} monospace={false} />
      <time className={styles.asked} dateTime={message.createdAt} title={formatMoment(message.createdAt)}>
        {formatAgo(message.createdAt, now)}
      </time>
    </article>
  );
});
