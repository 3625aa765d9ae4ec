import { takeRecordedErrors } from '@/api/errors';
import { notify } from '@/lib/notify';

const pollEvery = 500;

/**
 * Shows the calls that failed, each once, until it is dismissed. Returns a function to stop. Failures are recorded
 * independently of any view and fetched here, so that recording cannot fail.
 */
export function watchErrors(): () => void {
  const shown = new Set<string>();
  const timer = setInterval(() => {
    for (const error of takeRecordedErrors()) {
      if (shown.has(error.id)) continue;
      shown.add(error.id);
      notify.failedCall(error, () => shown.delete(error.id));
    }
  }, pollEvery);
  return () => clearInterval(timer);
}
