import type { TaskNote, TaskRunNote } from '@/lib/events';
import { notify } from '@/lib/notify';
import { tasks as t } from '@/messages/tasks';

/** A run could not be started, or has failed, while no one was watching. */
export function sayRunFailed({ name, reason = '' }: TaskRunNote): void {
  notify.error(
    reason === '' ? t('toast.run.failed.bare', { name }) : t('toast.run.failed', { name, reason }),
  );
}

/** A task was switched off, but not by its owner. */
export function notifySwitchedOff({ name, reason }: TaskNote): void {
  notify.info(t('toast.off', { name, reason }));
}
