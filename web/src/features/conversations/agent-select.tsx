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
  const { id: defaultId } = useSnapshot(defaultAnalyst);
  return (
    <AgentChoice
      agents={items}
      chosen={analystId ?? defaultId}
      onChoose={onChange}
      label={t('agent')}
      variant="soft"
      side="top"
    />
  );
}
