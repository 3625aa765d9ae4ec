import { common as t } from '@/messages/common';
import { copyToClipboard } from './clipboard';
import { shorten } from './text';
import { withToasts } from './toasts';

/** An entry of the error list for a failed call. */
export interface ErrorNotice {
  /** Two failures with one id are shown once. */
  id: string;
  status: number;
  message: string;
}

const errorLimit = 300;
/** How long success messages are shown, in milliseconds. */
const shown = 4000;

/** Cuts a message to the length that fits in a toast. */
export function truncate(text: string, limit = errorLimit): string {
  return shorten(text, limit) === text ? text : `${shorten(text, limit - 1)}…`;
}

/** Puts the details of an error on the clipboard and returns whether that worked. */
export async function copyError(text: string): Promise<void> {
  const worked = await copyToClipboard(text);
  withToasts((toast) => (worked ? toast.success(t('copied')) : toast.error(t('copy.error'))));
}

/** Short messages to the person, in one place, so that stores and features need not know the toaster. */
export const notify = {
  success(text: string): void {
    withToasts((toast) => toast.success(text, { duration: shown }));
  },
  info(text: string): void {
    withToasts((toast) => toast.info(text));
  },
  error(text: string): void {
    withToasts((toast) => toast.error(truncate(text)));
  },
  /** An error that stays until it is dismissed, shown once per id. */
  stays(id: string, text: string): void {
    withToasts((toast) => toast.error(truncate(text), { id, duration: Infinity }));
  },
  /** A message that stays until it is replaced by one with the same id. */
  progress(id: string, text: string): void {
    withToasts((toast) => toast.loading(text, { id, duration: Infinity }));
  },
  /** Replaces a progress message by a success message. */
  resolved(id: string, text: string): void {
    withToasts((toast) => toast.success(text, { id, duration: shown }));
  },
  /** Replaces a progress message by an error message. */
  rejected(id: string, text: string): void {
    withToasts((toast) => toast.error(truncate(text), { id, duration: 8000 }));
  },
  dismiss(id: string): void {
    withToasts((toast) => toast.dismiss(id));
  },
  /** A failed call: stays until dismissed, and can be copied for support. */
  failedCall(notice: ErrorNotice, onDismiss: () => void): void {
    // Without an answer there is no status.
    const title =
      notice.status === 0 ? t('error.unanswered') : t('error.occurred', { status: String(notice.status) });
    withToasts((toast) =>
      toast.error(title, {
        id: notice.id,
        description: truncate(notice.message),
        duration: Infinity,
        onDismiss,
        action: {
          label: t('copy'),
          onClick: (event) => {
            event.preventDefault();
            void copyError(`${title}\n${notice.message}`);
          },
        },
        cancel: { label: t('dismiss'), onClick: onDismiss },
      }),
    );
  },
};
