import { memo, useCallback, useRef } from 'react';
import { shorten } from '@/lib/text';
import { transcript as t } from '@/messages/transcript';
import { AnswerGrade } from './answer-grade';
import { hasFirstSentence } from './answer-text';
import { FollowUps } from './follow-ups';
import type { TranscriptMessage } from './message';
import type { TurnActions } from './turn-actions';
import { plainWords } from './plain-words';
import { TurnAnswer } from './turn-answer';
import { TurnEnd } from './turn-end';
import { TurnHeader } from './turn-header';
import { TurnQuestion } from './turn-question';
import { TurnWorkings } from './turn-workings';
import { partsOf, type Turn } from './turns';
import { WorkingsFold } from './workings-fold';
import styles from './turn.module.css';

interface TurnViewProps extends TurnActions {
  turn: Turn;
  /** Which messages are shown. */
  passes: (message: TranscriptMessage) => boolean;
  /** Its answer is being generated. */
  isRunning: boolean;
  /** The progress text of the running turn. */
  progress: string | null;
  /** In ms; for the relative time. */
  now: number;
  /** The person who reads; `null` if their own questions are not marked. */
  readerId: string | null;
  /** The message that a link led to, if it belongs to this turn. */
  highlightedId: string | null;
  /** Whether the reader has opened or folded the workings; `undefined` if they have done neither. */
  opened: boolean | undefined;
  onOpened: (key: string, opened: boolean) => void;
  /** Asks a question that follows. Given for the last turn only. */
  onAsk?: ((question: string) => void) | undefined;
}

/** A question and its answer: the answer first, below it how it was worked out. */
export const TurnView = memo(function TurnView(props: TurnViewProps) {
  const {
    turn,
    passes,
    isRunning,
    progress,
    now,
    readerId,
    highlightedId,
    opened,
    onOpened,
    onAsk,
    ...actions
  } = props;
  const root = useRef<HTMLElement>(null);
  const { question, key } = turn;
  const { answers, workings, summaries, status, end } = partsOf(turn, passes, isRunning);
  const answer = answers.at(-1);
  const isUnderWay = status === 'streaming';
  // A link to one of them opens it.
  const linked = workings.some((message) => message.id === highlightedId);
  // The workings are open until there is something to read.
  const isOpen =
    workings.length > 0 && (opened ?? (linked || (isUnderWay && !answers.some(hasFirstSentence))));

  // Shows the query of a table, or opens the view that has it if this view leaves it out.
  const { onGoTo } = actions;
  const { replies } = turn;
  const showQuery = useCallback(
    (object: string): void => {
      const holder = replies.find(({ displayObjects }) => displayObjects.some(({ id }) => id === object));
      if (holder !== undefined && !passes(holder)) {
        onGoTo?.(holder);
        return;
      }
      onOpened(key, true);
      requestAnimationFrame(() => {
        const found = root.current?.querySelector<HTMLElement>(`[data-objects~="${CSS.escape(object)}"]`);
        found?.scrollIntoView({ block: 'nearest' });
        found?.focus({ preventScroll: true });
      });
    },
    [key, onOpened, onGoTo, passes, replies],
  );

  return (
    <article
      ref={root}
      className={styles.turn}
      data-turn={key}
      aria-label={nameOf(turn)}
      data-beside={(isOpen && answers.length > 0) || undefined}
      aria-busy={isUnderWay}
    >
      {question !== null && passes(question) && (
        <TurnQuestion
          message={question}
          now={now}
          readerId={readerId}
          isHighlighted={question.id === highlightedId}
        />
      )}
      <div className={styles.body}>
        <div className={styles.main}>
          <TurnHeader {...actions} turn={turn} answers={answers} isUnderWay={isUnderWay} now={now} />
          {[...answers, ...summaries].map((message) => (
            <TurnAnswer
              key={message.id}
              {...actions}
              message={message}
              replies={turn.replies}
              isHighlighted={message.id === highlightedId}
              onShowQuery={showQuery}
              onAsk={message === answer ? onAsk : undefined}
            />
          ))}
          <TurnEnd status={status} end={end} isAnswered={answers.length > 0} {...actions} />
        </div>
        {(workings.length > 0 || isUnderWay) && (
          <WorkingsFold
            workings={workings}
            facts={answer?.facts ?? null}
            isUnderWay={isUnderWay}
            progress={progress}
            isOpen={isOpen}
            onOpen={(to) => {
              onOpened(key, to);
            }}
          />
        )}
        {isOpen && <TurnWorkings {...actions} workings={workings} highlightedId={highlightedId} />}
        {answer !== undefined && !isUnderWay && (
          <div className={styles.after}>
            {answer.grade !== undefined && <AnswerGrade grade={answer.grade} checks={answer.checks ?? []} />}
            {answer.assumptions !== undefined &&
              actions.renderAssumed?.(
                answer.assumptions,
                onAsk && question !== null ? () => onAsk(question.text) : undefined,
              )}
            {actions.renderFooter?.(answer)}
            {onAsk !== undefined && <FollowUps questions={answer.followUps ?? []} onAsk={onAsk} />}
          </div>
        )}
      </div>
    </article>
  );
});

/** In characters: enough to distinguish a question from others when it is read out. */
const nameLength = 100;

/** The question names the turn among the others of the feed; if it is not loaded, the agent's name does. */
function nameOf({ question, replies }: Turn): string {
  if (question !== null) return t('turn.of', { question: shorten(plainWords(question.text), nameLength) });
  return t('answer.from', { name: replies[0]?.analyst ?? t('speaker.analyst') });
}
