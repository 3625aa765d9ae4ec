/** What the socket's end asks of the client; docs/stream-protocol.md, "Close codes". */
export type CloseAction =
  /** Try again at once, and count nothing: the server asked for it, or the line broke. */
  | 'at-once'
  /** Try again after the pause. */
  | 'wait'
  /** The session is over. */
  | 'sign-in'
  /** The right is withdrawn. */
  | 'forbidden'
  /** A fault of this client; trying again would repeat it. */
  | 'stop';

/** Attempts before giving up, and the pause before each. */
export const retryLimit = 3;
export const retryPause = 10_000;

/** Reads a websocket close code. */
export function closeAction(code: number): CloseAction {
  switch (code) {
    case 4401:
      return 'sign-in';
    case 4403:
      return 'forbidden';
    case 4400:
    case 1009:
      return 'stop';
    case 4429:
    case 1011:
      return 'wait';
    default:
      // 4408 and 4503 say so; 1006 (no close frame) and 1001 (server gone) are a broken line.
      return 'at-once';
  }
}

/** Where a lost connection stands. */
export interface Retry {
  /** Counted attempts made since the connection was last good. */
  attempts: number;
  /** The uncounted attempt has been used. */
  immediate: boolean;
}

export const freshRetry: Retry = { attempts: 0, immediate: false };

export type RetryStep =
  | { kind: 'connect'; retry: Retry; after: number }
  | { kind: 'give-up'; retry: Retry; because: 'failed' | 'sign-in' | 'forbidden' | 'stop' };

/** Decides what follows a closed socket. */
export function afterClose(retry: Retry, code: number): RetryStep {
  const action = closeAction(code);
  if (action === 'sign-in' || action === 'forbidden' || action === 'stop') {
    return { kind: 'give-up', retry, because: action };
  }
  if (action === 'at-once' && !retry.immediate && retry.attempts === 0) {
    return { kind: 'connect', retry: { attempts: 0, immediate: true }, after: 0 };
  }
  if (retry.attempts >= retryLimit) return { kind: 'give-up', retry, because: 'failed' };
  return { kind: 'connect', retry: { ...retry, attempts: retry.attempts + 1 }, after: retryPause };
}
