import { Box } from '@radix-ui/themes';
import { memo, type ReactNode } from 'react';

import type { NoticeHandler } from '../code-block';
import { type ForeignLink, Markdown } from '../markdown';
import { FoldedText } from './folded-text';
import { speaker, type TranscriptDisplayObject, type TranscriptMessage } from './message';
import styles from './message-card.module.css';
import { MessageHead } from './message-head';
import { MessageMenu } from './message-menu';
import { MessageStatusLine } from './message-status';
import { offered } from './offered';
import { OfferedQuestions } from './offered-questions';

/** What a message card tells its surroundings. Keep them stable, or every card renders with each token. */
export interface MessageCallbacks {
  renderDisplayObject?:
    ((object: TranscriptDisplayObject, message: TranscriptMessage) => ReactNode) | undefined;
  /** Feedback controls below an answer. */
  renderFooter?: ((message: TranscriptMessage) => ReactNode) | undefined;
  canRewind?: boolean | undefined;
  /** Cuts the conversation from a user's message on. */
  onRewind?: ((message: TranscriptMessage) => void) | undefined;
  canRetry?: boolean | undefined;
  /** Asks again after an interrupted or failed answer. */
  onRetry?: ((message: TranscriptMessage) => void) | undefined;
  /** Asks a question that the last answer offers. */
  onAsk?: ((question: string) => void) | undefined;
  onForeignLink?: ((link: ForeignLink) => void) | undefined;
  onNavigate?: ((path: string) => void) | undefined;
  onNotice?: NoticeHandler | undefined;
}

/** Props of {@link MessageCard}. */
export interface MessageCardProps extends MessageCallbacks {
  message: TranscriptMessage;
  /** In ms; for the relative time. */
  now: number;
  /** Lights up for a moment, because a link led here. */
  highlighted?: boolean | undefined;
}

/** One message with everything it carries. */
export const MessageCard = memo(function MessageCard(props: MessageCardProps) {
  const { message, now, highlighted = false, onNotice } = props;
  const rewind = props.canRewind === true && message.role === 'user' ? props.onRewind : undefined;

  return (
    <article
      className={styles.card}
      data-role={message.role}
      data-highlighted={highlighted || undefined}
      data-message-id={message.id}
      aria-label={`Message from ${speaker(message)}`}
      aria-busy={message.status === 'streaming'}
    >
      <MessageHead message={message} now={now}>
        <MessageMenu message={message} onRewind={rewind} onNotice={onNotice} />
      </MessageHead>
      <MessageText {...props} />
      <DisplayObjects {...props} />
      <MessageStatusLine status={message.status} note={message.note ?? null} onRetry={retryOf(props)} />
      {message.status !== 'streaming' && props.renderFooter?.(message)}
    </article>
  );
});

function MessageText({ message, onAsk, onForeignLink, onNavigate, onNotice }: MessageCardProps) {
  const streaming = message.status === 'streaming';
  if (message.text === '' && !streaming) return null;
  // What a person typed is shown as typed, and so is what a query printed; only analysts write markdown.
  if (message.role === 'user' || message.role === 'user_proxy') {
    return <FoldedText text={message.text} monospace={message.role === 'user_proxy'} />;
  }
  const askable = onAsk !== undefined && message.status === 'complete' && message.role === 'assistant';
  const { text, questions } = askable ? offered(message.text) : { text: message.text, questions: [] };
  return (
    <>
      <Markdown
        text={text}
        streaming={streaming}
        onForeignLink={onForeignLink}
        onNavigate={onNavigate}
        onNotice={onNotice}
      />
      {askable && questions.length > 0 && <OfferedQuestions questions={questions} onAsk={onAsk} />}
    </>
  );
}

function DisplayObjects({ message, renderDisplayObject }: MessageCardProps) {
  if (renderDisplayObject === undefined || message.displayObjects.length === 0) return null;
  return (
    <Box className={styles.objects}>
      {message.displayObjects.map((object) => (
        <div key={object.id}>{renderDisplayObject(object, message)}</div>
      ))}
    </Box>
  );
}

function retryOf({ message, canRetry, onRetry }: MessageCardProps): (() => void) | undefined {
  const ended = message.status === 'interrupted' || message.status === 'failed';
  if (!ended || canRetry !== true || onRetry === undefined) return undefined;
  return () => {
    onRetry(message);
  };
}
