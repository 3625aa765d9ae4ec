import { memo } from 'react';
import { Markdown } from '@/components/markdown/markdown';
import type { MessageRole } from '@/lib/wire';
import { transcript as t } from '@/messages/transcript';
import { FoldedText } from './folded-text';
import type { TranscriptMessage } from './message';
import type { TurnActions } from './turn-actions';
import styles from './turn.module.css';

interface WorkingMessageProps extends TurnActions {
  message: TranscriptMessage;
  isHighlighted: boolean;
}

const labels = {
  assistant: 'workings.said',
  coordinator: 'workings.plan',
  internal: 'workings.internal',
  summary: 'workings.said',
  user: 'workings.said',
  user_proxy: 'workings.output',
} as const satisfies Record<MessageRole, string>;

/** One message of the workings of an answer. */
export const WorkingMessage = memo(function WorkingMessage(props: WorkingMessageProps) {
  const { message, isHighlighted, renderDisplayObject, onForeignLink, onNavigate, onNotice } = props;
  const { role, text, displayObjects } = message;
  // The output of a query is shown as it is; only analysts write markdown.
  const asWritten = role === 'user_proxy' || role === 'internal';
  const ids = displayObjects.map((object) => object.id);
  return (
    <article
      className={styles.working}
      data-role={role}
      data-message-id={message.id}
      data-objects={ids.length > 0 ? ids.join(' ') : undefined}
      data-highlighted={isHighlighted || undefined}
      tabIndex={-1}
    >
      <span className={styles.label}>{t(labels[role])}</span>
      {text !== '' && asWritten && <FoldedText text={text} monospace={role === 'internal'} />}
      {!asWritten && (
        <Markdown
          text={text}
          streaming={message.status === 'streaming'}
          onForeignLink={onForeignLink}
          onNavigate={onNavigate}
          onNotice={onNotice}
        />
      )}
      {renderDisplayObject !== undefined && displayObjects.length > 0 && (
        <div className={styles.objects}>
          {displayObjects.map((object) => (
            <div key={object.id}>{renderDisplayObject(object, message)}</div>
          ))}
        </div>
      )}
    </article>
  );
});
