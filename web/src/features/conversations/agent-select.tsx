import { Select } from '@radix-ui/themes';
import { useSnapshot } from 'valtio';
import { analystsState } from '@/stores/analysts-store';

interface AgentSelectProps {
  /** `null` is the default agent. */
  analystId: number | null;
  onChange: (analystId: number) => void;
}

/** Which agent answers. */
export function AgentSelect({ analystId, onChange }: AgentSelectProps) {
  const { analysts, defaultId } = useSnapshot(analystsState);
  const chosen = analystId ?? defaultId;
  return (
    <Select.Root
      size="1"
      value={chosen === null ? '' : String(chosen)}
      onValueChange={(value) => onChange(Number(value))}
    >
      <Select.Trigger variant="soft" color="gray" aria-label="Agent" placeholder="Agent" />
      <Select.Content position="popper" side="top">
        {analysts.map((analyst) => (
          <Select.Item key={analyst.id} value={String(analyst.id)}>
            {analyst.name}
          </Select.Item>
        ))}
      </Select.Content>
    </Select.Root>
  );
}
