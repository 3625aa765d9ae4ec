import { Button } from '@radix-ui/themes';
import { Plus, Sparkles } from 'lucide-react';
import { EmptyState } from '@/components/empty-state/empty-state';

interface ConversationGreetingProps {
  /** How many connectors will be asked. */
  connectors: number;
  /** Left out for those who may only read. */
  onAddConnector?: (() => void) | undefined;
}

/** What an empty conversation says. */
export function ConversationGreeting({ connectors, onAddConnector }: ConversationGreetingProps) {
  return (
    <EmptyState
      icon={<Sparkles size={22} />}
      title="What would you like to know?"
      action={
        connectors === 0 &&
        onAddConnector && (
          <Button variant="soft" onClick={onAddConnector}>
            <Plus size={16} /> Add Connector
          </Button>
        )
      }
    >
      {connectors === 0
        ? 'Add a connector, then ask a question in plain words. '
        : 'Ask a question in plain words. The Connectors tab shows the tables that the answer comes from. '}
      Share the conversation with Manage access, and others see the answers as they arrive.
    </EmptyState>
  );
}
