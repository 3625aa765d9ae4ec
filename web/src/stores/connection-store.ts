import { proxy } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { connection as t } from '@/messages/connection';
import type { ConnectionState } from '@/stream/stream-options';

/** The state of the connection to the server. A bar above the pages counts the attempts while it is lost. */
interface LineState {
  connection: ConnectionState;
}

const state = proxy<LineState>({ connection: { phase: 'closed' } });

export const lineState: DeepReadonly<LineState> = state;

const toastId = 'connection';

/**
 * Applies a change of the connection, and shows a message when it is restored or finally lost. Returns whether the
 * connection was restored after a loss.
 */
export function connectionChanged(next: ConnectionState): boolean {
  const before = state.connection;
  state.connection = next;
  switch (next.phase) {
    case 'lost':
      notify.rejected(toastId, t('lost'));
      return false;
    case 'open':
      if (before.phase !== 'retrying') return false;
      // The first try is made at once and mostly succeeds, for example when a node is replaced.
      if (before.attempt > 0) notify.resolved(toastId, t('back'));
      return true;
    case 'closed':
      notify.dismiss(toastId);
      return false;
    case 'retrying':
    case 'connecting':
      return false;
  }
}
