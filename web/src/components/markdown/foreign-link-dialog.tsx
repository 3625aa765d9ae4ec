import { openedLater } from '@/lib/opened-later';
import type { ForeignLinkDialogProps } from './foreign-link-dialog-body';

/** Asks before an answer's link leaves the app, and shows where it leads. It is loaded when it is first opened. */
export const ForeignLinkDialog = openedLater<ForeignLinkDialogProps>(
  async () => (await import('./foreign-link-dialog-body')).ForeignLinkDialogBody,
  ({ link }) => link !== null,
);
