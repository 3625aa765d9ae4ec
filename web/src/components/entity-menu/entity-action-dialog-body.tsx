import { ConfirmDialogBody } from '@/components/confirm-dialog/confirm-dialog-body';
import { shorten } from '@/lib/text';
import { entityMenu as t } from '@/messages/entity-menu';
import type { EntityActions } from './actions';
import { NameDialog } from './name-dialog';

/** The props of the dialogs. */
export interface EntityActionDialogProps {
  name: string;
  actions: EntityActions;
  asking: 'rename' | 'duplicate' | 'archive' | 'remove' | null;
  onClose: () => void;
}

/** The dialog of the action that was chosen. It closes when the action is done, and stays open if it failed. */
export function EntityActionDialogBody({ name, actions, asking, onClose }: EntityActionDialogProps) {
  const { rename, duplicate, archive, remove } = actions;
  if (asking === 'rename' && rename) {
    return (
      <NameDialog {...rename} initial={rename.initial ?? name} confirmLabel={t('rename')} onClose={onClose} />
    );
  }
  if (asking === 'duplicate' && duplicate) {
    const copy = shorten(t('duplicate.name', { name }), duplicate.max);
    return (
      <NameDialog
        {...duplicate}
        initial={duplicate.initial ?? copy}
        confirmLabel={t('duplicate')}
        unchangedAllowed
        onClose={onClose}
      />
    );
  }
  const asked = asking === 'archive' ? archive : asking === 'remove' ? remove : undefined;
  if (!asked) return null;
  return (
    <ConfirmDialogBody
      open
      title={asked.title}
      confirmLabel={t(asking === 'remove' ? 'delete' : 'archive')}
      destructive={asking === 'remove'}
      onConfirm={asked.onConfirm}
      onOpenChange={onClose}
    >
      {asked.text}
    </ConfirmDialogBody>
  );
}
