import { openedLater } from '@/lib/opened-later';
import type { EntityActionDialogProps } from './entity-action-dialog-body';

/** The dialog of the action that was chosen. It is loaded when one is first chosen. */
export const EntityActionDialog = openedLater<EntityActionDialogProps>(
  async () => (await import('./entity-action-dialog-body')).EntityActionDialogBody,
  ({ asking }) => asking !== null,
);
