import { useSnapshot } from 'valtio';
import { AgentChoice } from '@/components/agent/agent-choice';
import { useList } from '@/lib/use-collection';
import { conversation as t } from '@/messages/conversation';
import { analysts, defaultAnalyst } from '@/stores/analysts-store';

interface AgentSelectProps {
  /** `null` is the default agent. */
  analystId: number | null;
  onChange: (analystId: number) => void;
}

/** Which agent answers in this conversation. */
export function AgentSelect({ analystId, onChange }: AgentSelectProps) {
  const { items } = useList(analysts, undefined);
  const { byId } = useSnapshot(analysts.state);
  const { id: defaultId } = useSnapshot(defaultAnalyst);
  const chosen = analystId ?? defaultId;
  // The list has the first page of agents; an address may name one that is not on it.
  const beyond = items.some(({ id }) => id === chosen) ? undefined : byId[chosen ?? 0];
  return (
    <AgentChoice
      agents={beyond ? [...items, beyond] : items}
      chosen={chosen}
      onChoose={onChange}
      label={t('agent')}
      variant="soft"
      side="top"
    />
  );
}
