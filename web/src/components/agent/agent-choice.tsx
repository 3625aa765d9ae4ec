import { Choice } from '@/components/choice/choice';

interface AgentChoiceProps {
  agents: readonly { readonly id: number; readonly name: string }[];
  /** `null` until it is known. */
  chosen: number | null;
  onChoose: (id: number) => void;
  label: string;
  /** The style in which it is set off from its box. */
  variant?: 'ghost' | 'soft';
  /** Where its list opens. */
  side?: 'top' | 'bottom';
}

/** Which agent answers. */
export function AgentChoice({ agents, chosen, onChoose, label, variant = 'ghost', side }: AgentChoiceProps) {
  return (
    <Choice
      size="1"
      variant={variant}
      gray
      {...(side && { side })}
      label={label}
      options={agents.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={chosen === null ? '' : String(chosen)}
      onChange={(value) => onChoose(Number(value))}
    />
  );
}
