import { formatAgo, formatMoment } from '@/lib/format';
import { transcript as t } from '@/messages/transcript';
import type { TranscriptMessage } from './message';
import type { TurnActions } from './turn-actions';
import { TurnMenu } from './turn-menu';
import type { Turn } from './turns';
import styles from './turn.module.css';

interface TurnHeaderProps extends TurnActions {
  turn: Turn;
  answers: readonly TranscriptMessage[];
  isUnderWay: boolean;
  now: number;
}

/** The agent, the time of the answer and the actions, once for the whole turn. */
export function TurnHeader({ turn, answers, isUnderWay, now, ...actions }: TurnHeaderProps) {
  const { question, replies } = turn;
  const spoken = answers[0] ?? replies[0];
  return (
    <header className={styles.header}>
      {spoken !== undefined && (
        <>
          <span className={styles.name}>{namesOf(answers.length > 0 ? answers : replies)}</span>
          <time dateTime={spoken.createdAt} title={formatMoment(spoken.createdAt)}>
            {formatAgo(spoken.createdAt, now)}
          </time>
        </>
      )}
      <TurnMenu {...actions} question={question} answers={isUnderWay ? [] : answers} />
    </header>
  );
}

/** The agents that answered, each once: the steps of a blueprint may have different agents. */
function namesOf(messages: readonly TranscriptMessage[]): string {
  return [...new Set(messages.map((message) => message.analyst ?? t('speaker.analyst')))].join(', ');
}
