import { openedLater } from '@/lib/opened-later';
import type { ConfirmDialogProps } from './confirm-dialog-body';

/** Asks before something that a person might regret. It is loaded when it is first opened. */
export const ConfirmDialog = openedLater<ConfirmDialogProps>(
  async () => (await import('./confirm-dialog-body')).ConfirmDialogBody,
  ({ open }) => open,
);
