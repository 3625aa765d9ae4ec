import { Heading, Text } from '@radix-ui/themes';
import { meaning as t } from '@/messages/meaning';
import { CorrectButton } from './correct';
import type { About } from './meaning-about';
import { questionsOf } from './meaning-words';
import styles from './meaning.module.css';

/** What the assistant would have to ask about this table, with the answers as buttons. */
export function MeaningQuestions({ meaning, table, sourceId, editable, saving }: About) {
  const questions = questionsOf(meaning).filter((question) => question.table === table.table);
  if (questions.length === 0) return null;
  return (
    <div className={styles.questions}>
      <Heading as="h3" size="2" mb="1">
        {t('questions')}
      </Heading>
      <ul className={styles.columns}>
        {questions.map(({ column, text, answers }) => (
          <li key={column}>
            <Text as="p" size="2">
              {text}
            </Text>
            {editable && (
              <div className={styles.buttons}>
                {answers.map(({ label, field, value }) => (
                  <CorrectButton
                    key={`${field} ${value}`}
                    label={label}
                    name={`${text} ${label}`}
                    disabled={saving}
                    sourceId={sourceId}
                    says={{ table: table.table, ...(column !== '' && { column }), field, value }}
                  />
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
