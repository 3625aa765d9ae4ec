import { Button } from '@radix-ui/themes';
import { Plus, Sparkles } from 'lucide-react';
import { EmptyState } from '@/components/empty-state/empty-state';
import { conversation as t } from '@/messages/conversation';
import styles from './conversations.module.css';

interface ConversationGreetingProps {
  /** The number of chosen connectors. */
  connectors: number;
  /** The conversation will be created with its first question: it has no tabs yet and cannot be shared. */
  isNew?: boolean | undefined;
  /** Left out for people who may only read. */
  onAddConnector?: (() => void) | undefined;
  /** Sends a first question. Left out for people who may only read. */
  onAsk?: ((question: string) => void) | undefined;
}

/** Questions that can be answered from any data, for people who do not know the data yet. */
const firstQuestions = ['greeting.first.data', 'greeting.first.rows', 'greeting.first.ask'] as const;

/** The greeting of an empty conversation. */
export function ConversationGreeting(props: ConversationGreetingProps) {
  const { connectors, isNew = false, onAddConnector, onAsk } = props;
  const hints = [
    connectors === 0 ? t('greeting.add') : t('greeting.ask'),
    ...(connectors > 0 && !isNew ? [t('greeting.tab')] : []),
    isNew ? t('greeting.new') : t('greeting.share'),
  ];
  return (
    <div className={styles.greetingFrame}>
      <div className={styles.greeting}>
        <EmptyState
          icon={<Sparkles size={22} />}
          title={t('greeting.title')}
          action={<Beginning connectors={connectors} onAddConnector={onAddConnector} onAsk={onAsk} />}
        >
          {hints.join(' ')}
        </EmptyState>
      </div>
    </div>
  );
}

/** The next step: choosing data, or, if data are chosen, a question. */
function Beginning({ connectors, onAddConnector, onAsk }: ConversationGreetingProps) {
  if (connectors === 0) {
    return (
      onAddConnector && (
        <Button variant="soft" onClick={onAddConnector}>
          <Plus size={16} /> {t('connector.add')}
        </Button>
      )
    );
  }
  return (
    onAsk && (
      <div className={styles.suggestions} role="group" aria-label={t('greeting.label')}>
        {firstQuestions
          .map((id) => t(id))
          .map((question) => (
            <Button key={question} variant="soft" color="gray" radius="full" onClick={() => onAsk(question)}>
              {question}
            </Button>
          ))}
      </div>
    )
  );
}
