import { Button } from '@radix-ui/themes';
import { Plus, Sparkles } from 'lucide-react';
import { EmptyState } from '@/components/empty-state/empty-state';
import styles from './conversations.module.css';

interface ConversationGreetingProps {
  /** How many connectors will be asked. */
  connectors: number;
  /** The conversation begins with its first question: it has no tabs yet, and nobody to share it with. */
  isNew?: boolean | undefined;
  /** Left out for those who may only read. */
  onAddConnector?: (() => void) | undefined;
  /** Sends a first question. Left out for those who may only read. */
  onAsk?: ((question: string) => void) | undefined;
}

/** Questions that any data answers, for whoever does not know it yet. */
const firstQuestions = ['What is in this data?', 'Show the first 10 rows', 'What can I ask?'];

/** What an empty conversation says. */
export function ConversationGreeting(props: ConversationGreetingProps) {
  const { connectors, isNew = false, onAddConnector, onAsk } = props;
  return (
    <EmptyState
      icon={<Sparkles size={22} />}
      title="What would you like to know?"
      action={<Beginning connectors={connectors} onAddConnector={onAddConnector} onAsk={onAsk} />}
    >
      {connectors === 0
        ? 'Add a connector, then ask a question in plain words. '
        : 'Ask a question in plain words. '}
      {connectors > 0 && !isNew && 'The Connectors tab shows the tables that the answer comes from. '}
      {isNew
        ? 'Each answer shows how it was worked out.'
        : 'Share the conversation with Manage access, and others see the answers as they arrive.'}
    </EmptyState>
  );
}

/** The next step: data to ask, or, with data, a question. */
function Beginning({ connectors, onAddConnector, onAsk }: ConversationGreetingProps) {
  if (connectors === 0) {
    return (
      onAddConnector && (
        <Button variant="soft" onClick={onAddConnector}>
          <Plus size={16} /> Add Connector
        </Button>
      )
    );
  }
  return (
    onAsk && (
      <div className={styles.suggestions} role="group" aria-label="Questions to begin with">
        {firstQuestions.map((question) => (
          <Button key={question} variant="soft" color="gray" radius="full" onClick={() => onAsk(question)}>
            {question}
          </Button>
        ))}
      </div>
    )
  );
}
