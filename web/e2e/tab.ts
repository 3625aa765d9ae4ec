import { subscribe } from 'valtio';
import { vi } from 'vitest';

/** The app's own stores, as in one tab of a browser: each tab has its own. */
export type Tab = Awaited<ReturnType<typeof openTab>>;

/** The options of a tab. */
interface TabOptions {
  /** The network of its stream. */
  stream: string;
  /** Bearers of one person; each replaces the one before it when that is refused. */
  bearers: readonly string[];
}

/**
 * Loads the stores, signs in and opens the connection, as the page does. The address of the document must be that
 * of the product.
 */
export async function openTab({ stream, bearers }: TabOptions) {
  vi.resetModules();
  const me = await import('@/stores/me-store');
  const session = await import('@/stores/conversation-session');
  const { openLog } = await import('@/stores/conversation-session/session');
  const conversations = await import('@/stores/conversations-store');
  const bindings = await import('@/stores/stream-bindings');
  const { lineState } = await import('@/stores/connection-store');
  const { tasks } = await import('@/stores/tasks-store');

  /** When the current bearer was received. */
  const held = { since: 0 };
  let used = 0;
  const bearer = () => {
    held.since = Date.now();
    return { token: bearers[used++ % bearers.length]!, expires: Number.POSITIVE_INFINITY, renewable: true };
  };
  me.renewWith(() => Promise.resolve(bearer()));
  const signedIn = new Promise<{ uuid: string; logHead: number }>((resolve) => {
    const end = subscribe(me.meState, () => {
      if (me.meState.user === null) return;
      end();
      resolve(me.meState.user);
    });
  });
  me.signInStep({ type: 'held', bearer: bearer() });
  const user = await signedIn;

  const marking = subscribe(conversations.conversationsState, look);
  /** The page of the open conversation marks it as read. */
  function look(): void {
    const { current } = session.sessionState;
    if (current.phase === 'ready') void conversations.readConversation(current.id);
  }

  // Ends a pause: the network reports that it is back.
  const waking = subscribe(lineState, () => {
    if (lineState.connection.phase === 'retrying') setTimeout(bindings.wakeUp, 0);
  });

  const here = window.location.href;
  jsdom.reconfigure({ url: stream });
  bindings.startStream(user.uuid, user.logHead);
  jsdom.reconfigure({ url: here });

  return {
    me,
    session,
    conversations,
    tasks,
    line: lineState,
    bearer: held,
    wake: bindings.wakeUp,
    log: openLog,
    close: () => {
      marking();
      waking();
      bindings.stopStream();
      session.closeConversation();
    },
  };
}

/** The jsdom instance, which the test environment provides. */
declare const jsdom: { reconfigure: (settings: { url: string }) => void };
