import { openedLater } from '@/lib/opened-later';
import type { UploadDialogProps } from './upload-dialog-body';

/**
 * Makes a connector from a file: choose it, see what it is, name it, send it. It is loaded when it is first opened.
 */
export const UploadDialog = openedLater<UploadDialogProps>(
  async () => (await import('./upload-dialog-body')).UploadDialogBody,
  ({ open }) => open,
);
