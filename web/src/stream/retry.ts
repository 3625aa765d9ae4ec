/** What the client must do when the socket closes; docs/stream-protocol.md, "Close codes". */
export type CloseAction =
  /** Reconnect soon: the server asked for it, or the connection broke. */
  | 'soon'
  /** Reconnect after the long pause. */
  | 'wait'
  /** Reconnect with a newer bearer. */
  | 'renew'
  /** The session is over. */
  | 'sign-in'
  /** The right was withdrawn. */
  | 'forbidden'
  /** An error of this client; a retry would repeat it. */
  | 'stop';

/** Attempts before giving up, and the pause before each, plus or minus a tenth: document 2, 4. */
export const retryLimit = 3;
export const retryPause = 10_000;
/** A connection that lasted this long was stable: its loss counts as the first one again. */
export const goodAfter = 30_000;
/** A node that stops closes many connections, which must not all move to the next node at the same instant. */
const spread = 2_000;
/** The minimum pause after the first, second and third loss of connections that were not stable. */
const silentPauses = [0, 2_000, 5_000] as const;

/** Reads a websocket close code. */
export function closeAction(code: number): CloseAction {
  switch (code) {
    case 4401:
      return 'sign-in';
    case 4402:
      return 'renew';
    case 4403:
      return 'forbidden';
    case 1002:
    case 1003:
    case 1007:
    case 1009:
    case 4400:
      return 'stop';
    case 4429:
    case 1011:
      return 'wait';
    default:
      // 4408 and 4503 request it; 1006 (no close frame) and 1001 (server gone) mean a broken connection.
      return 'soon';
  }
}

/** The state of a lost connection. */
export interface Retry {
  /** Counted attempts made since the server was last ready. */
  attempts: number;
  /** The uncounted attempt after a loss is running. */
  silent: boolean;
  /** Losses since a connection last lasted 30 s; each makes the next pause longer. */
  losses: number;
}

export const freshRetry: Retry = { attempts: 0, silent: false, losses: 0 };

export type RetryStep =
  | { kind: 'connect'; retry: Retry; after: number }
  | { kind: 'renew'; retry: Retry }
  | { kind: 'give-up'; retry: Retry; because: 'failed' | 'sign-in' | 'forbidden' | 'stop' };

/** Called when the server is ready: earlier failures do not count for the next loss. */
export function afterReady({ losses }: Retry): Retry {
  return { attempts: 0, silent: false, losses };
}

/**
 * Decides what follows a closed socket. `lived` is how long it was ready, in milliseconds, and `random` is from 0
 * up to 1.
 */
export function afterClose(before: Retry, code: number, lived: number, random: number): RetryStep {
  const retry = lived >= goodAfter ? freshRetry : before;
  const action = closeAction(code);
  if (action === 'sign-in' || action === 'forbidden' || action === 'stop') {
    return { kind: 'give-up', retry, because: action };
  }
  if (action === 'renew') return { kind: 'renew', retry };
  if (action === 'soon' && !retry.silent && retry.attempts === 0) {
    const after = (silentPauses[retry.losses] ?? retryPause) + spread * random;
    return { kind: 'connect', retry: { ...retry, silent: true, losses: retry.losses + 1 }, after };
  }
  if (retry.attempts >= retryLimit) return { kind: 'give-up', retry, because: 'failed' };
  const after = retryPause * (0.9 + 0.2 * random);
  return { kind: 'connect', retry: { ...retry, attempts: retry.attempts + 1 }, after };
}
