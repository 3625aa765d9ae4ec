import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { EntityActions } from '@/components/entity-menu/actions';
import { EntityMenu } from '@/components/entity-menu/entity-menu';
import { blueprintLimits } from '@/lib/blueprint-rules';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import { useIsShown } from '@/lib/use-is-shown';
import type { Blueprint } from '@/lib/wire';
import { blueprints as t } from '@/messages/blueprints';
import { duplicateBlueprint, removeBlueprint, setBlueprintArchived } from '@/stores/blueprints-store/change';
import { BlueprintAccess } from './blueprint-access';

interface BlueprintMenuProps {
  blueprint: DeepReadonly<Blueprint>;
  /** In a list each menu names its blueprint. */
  inList?: boolean;
}

/** The actions for a blueprint. */
export function BlueprintMenu({ blueprint, inList = false }: BlueprintMenuProps) {
  const { id, name, abilities, isArchived, isLibrary } = blueprint;
  const navigate = useNavigate();
  const isShown = useIsShown();
  const [isManaging, setManaging] = useState(false);
  const ownerOnly = t(isLibrary ? 'library.fixed' : 'owner.only');

  /** The page of a blueprint that no longer exists is left. */
  async function leave(isDone: boolean): Promise<boolean> {
    if (isDone && !inList && isShown()) await navigate(paths.blueprints, { replace: true });
    return isDone;
  }

  const actions: EntityActions = {
    others: inList
      ? [
          {
            label: t('open'),
            icon: <BookOpen size={15} />,
            onSelect: () => void navigate(paths.blueprint(id)),
          },
        ]
      : [],
    edit: { to: paths.blueprintEdit(id), ...(!abilities.edit && { disabledReason: ownerOnly }) },
    duplicate: abilities.copy
      ? {
          title: t('duplicate.title'),
          max: blueprintLimits.name,
          onConfirm: async (copyName) => {
            const copy = await duplicateBlueprint(id, copyName);
            if (copy !== null && isShown()) await navigate(paths.blueprint(copy));
            return copy !== null;
          },
        }
      : undefined,
    access: isLibrary ? undefined : { onOpen: () => setManaging(true) },
    archive:
      abilities.archive && !isArchived
        ? {
            title: t('archive.title'),
            text: t('archive.text', { name }),
            onConfirm: async () => leave(await setBlueprintArchived(id, true)),
          }
        : undefined,
    unarchive:
      abilities.archive && isArchived
        ? { onUnarchive: () => void setBlueprintArchived(id, false) }
        : undefined,
    remove: {
      title: t('delete.title'),
      text: t('delete.text', { name }),
      onConfirm: async () => leave(await removeBlueprint(id)),
      ...(!abilities.delete && { disabledReason: ownerOnly }),
    },
  };

  return (
    <>
      <EntityMenu name={name} actions={actions} inList={inList} />
      {isManaging && (
        <BlueprintAccess
          blueprintId={id}
          editable={abilities.manageAccess}
          onClose={() => setManaging(false)}
        />
      )}
    </>
  );
}
