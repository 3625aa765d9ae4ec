import { memo } from 'react';
import { transcript as t } from '@/messages/transcript';
import type { TranscriptMessage } from './message';
import type { TurnActions } from './turn-actions';
import { WorkingMessage } from './working-message';
import styles from './turn.module.css';

interface TurnWorkingsProps extends TurnActions {
  workings: readonly TranscriptMessage[];
  highlightedId: string | null;
}

/** The workings of an answer: plan, queries, tables, code and logs, in their order. */
export const TurnWorkings = memo(function TurnWorkings({
  workings,
  highlightedId,
  ...actions
}: TurnWorkingsProps) {
  return (
    <div className={styles.workings} role="group" aria-label={t('workings')}>
      {workings.map((message) => (
        <WorkingMessage
          key={message.id}
          {...actions}
          message={message}
          isHighlighted={message.id === highlightedId}
        />
      ))}
    </div>
  );
});
