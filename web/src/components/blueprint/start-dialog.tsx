import { openedLater } from '@/lib/opened-later';
import type { StartDialogProps } from './start-dialog-body';

/** Asks for what a blueprint needs, and starts a conversation with it. It is loaded when it is first opened. */
export const StartDialog = openedLater<StartDialogProps>(
  async () => (await import('./start-dialog-body')).StartDialogBody,
  ({ blueprint }) => blueprint !== null,
);
