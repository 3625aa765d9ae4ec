import { Select } from '@radix-ui/themes';

interface AgentChoiceProps {
  agents: readonly { readonly id: number; readonly name: string }[];
  /** `null` until it is known. */
  chosen: number | null;
  onChoose: (id: number) => void;
  label: string;
}

/** Which agent answers. */
export function AgentChoice({ agents, chosen, onChoose, label }: AgentChoiceProps) {
  return (
    <Select.Root
      size="1"
      value={chosen === null ? '' : String(chosen)}
      onValueChange={(value) => onChoose(Number(value))}
    >
      <Select.Trigger variant="ghost" color="gray" aria-label={label} placeholder={label} />
      <Select.Content position="popper">
        {agents.map((agent) => (
          <Select.Item key={agent.id} value={String(agent.id)}>
            {agent.name}
          </Select.Item>
        ))}
      </Select.Content>
    </Select.Root>
  );
}
