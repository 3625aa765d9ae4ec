import { proxy } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { connection as t } from '@/messages/connection';
import type { ConnectionState } from '@/stream/stream-options';

/** How the line to the server stands. A bar above the pages counts the attempts while it is lost. */
interface LineState {
  connection: ConnectionState;
}

const state = proxy<LineState>({ connection: { phase: 'closed' } });

export const lineState: DeepReadonly<LineState> = state;

const toastId = 'connection';

/**
 * Takes a change of the line, and says its end, good or bad. Returns whether the line has come back after a loss.
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
      // The first try is made at once and mostly succeeds, for example when a node hands over.
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
