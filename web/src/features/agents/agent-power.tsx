import { ConfirmDialog } from '@/components/confirm-dialog/confirm-dialog';
import { agents as t } from '@/messages/agents';
import { toggle } from './agent-changes';

/** An agent to be switched on or off. */
export interface Power {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  /** Its current state. */
  readonly isEnabled: boolean;
}

interface AgentPowerDialogProps {
  power: Power | null;
  onClose: () => void;
}

/** Asks for confirmation before an agent is switched on or off for all users. */
export function AgentPowerDialog({ power, onClose }: AgentPowerDialogProps) {
  if (power === null) return null;
  const { name, isEnabled } = power;
  const to = isEnabled ? 'disable' : 'enable';
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t(`${to}.title`)}
      confirmLabel={t(to)}
      onConfirm={() => toggle(power, !isEnabled)}
    >
      {t(`${to}.text`, { name })}
    </ConfirmDialog>
  );
}
