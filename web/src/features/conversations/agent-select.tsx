import { useSnapshot } from 'valtio';
import { Choice } from '@/components/choice/choice';
import { useList } from '@/lib/use-collection';
import { conversation as t } from '@/messages/conversation';
import { analysts, defaultAnalyst } from '@/stores/analysts-store';

interface AgentSelectProps {
  /** `null` is the default agent. */
  analystId: number | null;
  onChange: (analystId: number) => void;
}

/** Which agent answers. */
export function AgentSelect({ analystId, onChange }: AgentSelectProps) {
  const { items } = useList(analysts, undefined);
  const { id: defaultId } = useSnapshot(defaultAnalyst);
  const chosen = analystId ?? defaultId;
  return (
    <Choice
      size="1"
      variant="soft"
      gray
      side="top"
      label={t('agent')}
      options={items.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={chosen === null ? '' : String(chosen)}
      onChange={(value) => onChange(Number(value))}
    />
  );
}
