import { Button } from '@radix-ui/themes';
import { CornerDownRight } from 'lucide-react';

import styles from './message-card.module.css';

interface OfferedQuestionsProps {
  questions: readonly string[];
  onAsk: (question: string) => void;
}

/** The questions that the last answer offers; pressing one asks it. */
export function OfferedQuestions({ questions, onAsk }: OfferedQuestionsProps) {
  return (
    <div className={styles.offers} role="group" aria-label="Questions to ask next">
      {questions.map((question) => (
        <Button
          key={question}
          className={styles.offer ?? ''}
          variant="soft"
          color="gray"
          radius="large"
          onClick={() => {
            onAsk(question);
          }}
        >
          <CornerDownRight size={14} aria-hidden />
          <bdi>{question}</bdi>
        </Button>
      ))}
    </div>
  );
}
