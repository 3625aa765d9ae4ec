import { Choice } from '@/components/choice/choice';

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
    <Choice
      size="1"
      variant="ghost"
      gray
      label={label}
      options={agents.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={chosen === null ? '' : String(chosen)}
      onChange={(value) => onChoose(Number(value))}
    />
  );
}
