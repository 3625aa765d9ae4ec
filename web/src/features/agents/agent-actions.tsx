import { Power as PowerOn, PowerOff } from 'lucide-react';
import type { EntityActions } from '@/components/entity-menu/actions';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { Analyst } from '@/lib/wire';
import { agents as t } from '@/messages/agents';
import { remove } from './agent-changes';
import type { Power } from './agent-power';

const size = 15;

/** The actions in the menu of an agent. Those that only its owner may use say so. */
export function agentActions(agent: DeepReadonly<Analyst>, onPower: (power: Power) => void): EntityActions {
  const { id, isEnabled, isDefault, name, abilities } = agent;
  return {
    ...(abilities.edit && { edit: { to: paths.agentEdit(id) } }),
    others: [
      ...(abilities.edit
        ? [
            {
              label: t(isEnabled ? 'disable' : 'enable'),
              icon: isEnabled ? <PowerOff size={size} /> : <PowerOn size={size} />,
              onSelect: () => onPower(agent),
              ...(!abilities.enable && { disabledReason: t('disable.default') }),
            },
          ]
        : []),
    ],
    remove: {
      title: t('delete.title'),
      text: t('delete.text', { name }),
      onConfirm: () => remove(id),
      ...(!abilities.delete && { disabledReason: t(isDefault ? 'delete.default' : 'delete.owner') }),
    },
  };
}
