import { Select } from '@radix-ui/themes';
import { useSnapshot } from 'valtio';
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
    <Select.Root
      size="1"
      value={chosen === null ? '' : String(chosen)}
      onValueChange={(value) => onChange(Number(value))}
    >
      <Select.Trigger variant="soft" color="gray" aria-label={t('agent')} placeholder={t('agent')} />
      <Select.Content position="popper" side="top">
        {items.map((analyst) => (
          <Select.Item key={analyst.id} value={String(analyst.id)}>
            {analyst.name}
          </Select.Item>
        ))}
      </Select.Content>
    </Select.Root>
  );
}
