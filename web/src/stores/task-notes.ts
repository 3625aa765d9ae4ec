import type { TaskNote, TaskRunNote } from '@/lib/events';
import { notify } from '@/lib/notify';
import { tasks as t } from '@/messages/tasks';

/** A run could not be begun, or has failed: nobody was there to see it. */
export function sayRunFailed({ name, reason = '' }: TaskRunNote): void {
  notify.error(
    reason === '' ? t('toast.run.failed.bare', { name }) : t('toast.run.failed', { name, reason }),
  );
}

/** A task was switched off by something else than its owner. */
export function saySwitchedOff({ name, reason }: TaskNote): void {
  notify.info(t('toast.off', { name, reason }));
}
