import { Button } from '@radix-ui/themes';
import { CornerDownRight } from 'lucide-react';
import { transcript as t } from '@/messages/transcript';
import styles from './turn.module.css';

interface FollowUpsProps {
  questions: readonly string[];
  /** Whether they answer a question of the analyst, and not follow from its answer. */
  areAnswers?: boolean;
  onAsk: (question: string) => void;
}

/** The questions that follow from the last answer; pressing one asks it. */
export function FollowUps({ questions, areAnswers = false, onAsk }: FollowUpsProps) {
  if (questions.length === 0) return null;
  return (
    <div
      className={styles.followUps}
      role="group"
      aria-label={t(areAnswers ? 'followUps.answers' : 'followUps')}
    >
      {questions.map((question) => (
        <Button
          key={question}
          className={styles.followUp ?? ''}
          size="1"
          variant="surface"
          color="gray"
          radius="large"
          onClick={() => {
            onAsk(question);
          }}
        >
          <CornerDownRight size={13} aria-hidden />
          <bdi>{question}</bdi>
        </Button>
      ))}
    </div>
  );
}
