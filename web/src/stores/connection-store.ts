import { proxy } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import type { ConnectionState } from '@/stream/stream-options';

/** How the line to the server stands. */
interface LineState {
  connection: ConnectionState;
}

const state = proxy<LineState>({ connection: { phase: 'closed' } });

export const lineState: DeepReadonly<LineState> = state;

const toastId = 'connection';

/**
 * Takes a change of the line, and tells the person what matters of it. Returns whether the line has
 * come back after a loss.
 */
export function connectionChanged(next: ConnectionState): boolean {
  const before = state.connection;
  state.connection = next;
  switch (next.phase) {
    case 'retrying':
      // The first try is made at once and mostly succeeds, for example when a node hands over.
      if (next.attempt === 1) {
        notify.progress(
          toastId,
          `Lost connection to server. Attempting to reconnect... (attempt 1 of ${next.of})`,
        );
      } else if (next.attempt > 1) {
        notify.progress(toastId, `Reconnecting (attempt ${next.attempt} of ${next.of})`);
      }
      return false;
    case 'lost':
      notify.rejected(toastId, 'Lost connection to server');
      return false;
    case 'open':
      if (before.phase !== 'retrying') return false;
      if (before.attempt > 0) notify.resolved(toastId, 'Connection re-established');
      return true;
    case 'closed':
      notify.dismiss(toastId);
      return false;
    case 'connecting':
      return false;
  }
}
