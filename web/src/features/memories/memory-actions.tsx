import { Pencil, Power, PowerOff } from 'lucide-react';
import type { EntityActions } from '@/components/entity-menu/actions';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Memory } from '@/lib/wire';
import { memories as t } from '@/messages/memories';
import { removeMemory, toggleMemory } from '@/stores/memories-store';

/** The actions of the person for a memory. */
export function memoryActions(memory: DeepReadonly<Memory>, onEdit: () => void): EntityActions {
  const { id, name, isEnabled, abilities } = memory;
  const size = 15;
  return {
    others: [
      ...(abilities.edit ? [{ label: t('edit'), icon: <Pencil size={size} />, onSelect: onEdit }] : []),
      ...(abilities.enable
        ? [
            {
              label: t(isEnabled ? 'deactivate' : 'activate'),
              icon: isEnabled ? <PowerOff size={size} /> : <Power size={size} />,
              onSelect: () => void toggleMemory(id, !isEnabled),
            },
          ]
        : []),
    ],
    ...(abilities.delete && {
      remove: {
        title: t('delete.title'),
        text: t('delete.text', { name }),
        onConfirm: () => removeMemory(id),
      },
    }),
  };
}
