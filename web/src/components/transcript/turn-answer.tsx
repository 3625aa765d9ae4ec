import { Info } from 'lucide-react';
import { memo } from 'react';
import { Asking } from '@/lib/asking';
import { Markdown } from '@/components/markdown/markdown';
import { transcript as t } from '@/messages/transcript';
import { answerText } from './answer-text';
import { FollowUps } from './follow-ups';
import type { TranscriptDisplayObject, TranscriptMessage } from './message';
import { notOffered, offered } from './offered';
import type { TurnActions } from './turn-actions';
import styles from './turn.module.css';

interface TurnAnswerProps extends TurnActions {
  message: TranscriptMessage;
  /** All messages of the turn: its answer may be a table of the workings. */
  replies: readonly TranscriptMessage[];
  isHighlighted: boolean;
  /** Opens the workings at the query of a table. */
  onShowQuery: (object: string) => void;
  /** Asks a question that the text suggests. */
  onAsk?: ((question: string) => void) | undefined;
}

/** An answer in reading order: the finding, its chart, the rest, what the numbers leave out. */
export const TurnAnswer = memo(function TurnAnswer(props: TurnAnswerProps) {
  const { message, isHighlighted, onAsk } = props;
  const { status, role } = message;
  const { heading, lead, rest, caveats } = answerText(message);
  const askable = onAsk !== undefined && status === 'complete' && role === 'assistant';
  const { text, questions, areAnswers } = askable ? offered(rest) : notOffered(rest);
  const streaming = status === 'streaming';

  return (
    <article
      className={styles.answer}
      data-role={role}
      data-message-id={message.id}
      data-highlighted={isHighlighted || undefined}
      aria-label={t('answer.from', { name: message.analyst ?? t('speaker.analyst') })}
    >
      {heading !== '' && (
        <div className={styles.heading}>
          <Prose {...props} text={heading} streaming={streaming && lead === ''} />
        </div>
      )}
      {(lead !== '' || (streaming && heading === '' && rest === '')) && (
        <div className={styles.lead}>
          <Prose {...props} text={lead} streaming={streaming && rest === ''} />
        </div>
      )}
      {/* The rows of a chart follow from its question, which is the last one while it can be asked so. */}
      <Asking value={askable ? onAsk : null}>
        <AnswerObjects {...props} />
      </Asking>
      {text !== '' && (
        <div className={styles.rest}>
          <Prose {...props} text={text} streaming={streaming} />
        </div>
      )}
      {askable && <FollowUps questions={questions} areAnswers={areAnswers} onAsk={onAsk} />}
      {caveats !== '' && (
        <div className={styles.caveats} role="note" aria-label={t('caveats')}>
          <Info size={14} aria-hidden />
          <Prose {...props} text={caveats} streaming={false} />
        </div>
      )}
    </article>
  );
});

function Prose(props: TurnAnswerProps & { text: string; streaming: boolean }) {
  const {
    message,
    replies,
    text,
    streaming,
    renderFigure,
    onShowQuery,
    onForeignLink,
    onNavigate,
    onNotice,
  } = props;
  return (
    <Markdown
      text={text}
      streaming={streaming}
      renderFigure={
        renderFigure &&
        ((place, number) => {
          const figure = message.figures?.[place];
          if (figure === undefined) return number;
          const showQuery = () => {
            onShowQuery(figure.object);
          };
          const object = objectOf(replies, figure.object);
          return renderFigure({ figure, text: number, message, object, onShowQuery: showQuery });
        })
      }
      onForeignLink={onForeignLink}
      onNavigate={onNavigate}
      onNotice={onNotice}
    />
  );
}

/** The chart of an answer, or else the table that is its answer, and its files. */
function AnswerObjects({ message, replies, renderDisplayObject }: TurnAnswerProps) {
  if (renderDisplayObject === undefined) return null;
  const objects: readonly TranscriptDisplayObject[] = [
    ...tableOf(message, replies),
    ...message.displayObjects,
  ];
  if (objects.length === 0) return null;
  return (
    <div className={styles.objects}>
      {objects.map((object) => (
        <div key={object.id}>{renderDisplayObject(object, message)}</div>
      ))}
    </div>
  );
}

/** A display object of the turn by its id. */
function objectOf(replies: readonly TranscriptMessage[], id: string): TranscriptDisplayObject | undefined {
  return replies.flatMap(({ displayObjects }) => displayObjects).find((object) => object.id === id);
}

function tableOf(message: TranscriptMessage, replies: readonly TranscriptMessage[]) {
  const table = message.table ? objectOf(replies, message.table) : undefined;
  return table === undefined ? [] : [table];
}
