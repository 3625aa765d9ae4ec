import { useCallback, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { ConfirmDialog } from '@/components/confirm-dialog/confirm-dialog';
import type { Notice } from '@/components/code-block';
import { ForeignLinkDialog, type ForeignLink } from '@/components/markdown';
import { Transcript, type TranscriptDisplayObject, type TranscriptMessage } from '@/components/transcript';
import { passesFilter, type ChatMessage, type MessageFilter } from '@/lib/chat-message';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { useNow } from '@/lib/use-now';
import type { Conversation } from '@/lib/wire';
import { sessionLog, type EarlierState, type TurnState } from '@/stores/conversation-session';
import { AnswerFeedback } from './answer-feedback';
import { rewind } from './conversation-actions';
import { RenderedObject } from './rendered-object';
import { useEarlier } from './use-earlier';
import styles from './conversations.module.css';

interface TranscriptPanelProps {
  conversation: DeepReadonly<Conversation>;
  turn: DeepReadonly<TurnState>;
  earlier: DeepReadonly<EarlierState>;
  /** Which roles are shown. */
  passes: (message: ChatMessage) => boolean;
  highlightId: string | null;
  empty: ReactNode;
  /** Asks the question of a cut-off answer again. */
  onRetry: (message: TranscriptMessage) => void;
  /** Asks a question that the last answer offers. */
  onAsk: (question: string) => void;
}

/** The roles of a filter as a test of messages; made once, so that filtering is memoised. */
export const filters: Record<MessageFilter | 'summary', (message: ChatMessage) => boolean> = {
  all: (message) => passesFilter(message.role, 'all'),
  datasources: (message) => passesFilter(message.role, 'datasources'),
  executive: (message) => passesFilter(message.role, 'executive'),
  notes: (message) => passesFilter(message.role, 'notes'),
  summary: (message) => message.role === 'user' || message.role === 'summary',
};

function showNotice(notice: Notice): void {
  if (notice.tone === 'success') notify.success(notice.text);
  else notify.error(notice.text);
}

function renderDisplayObject(object: TranscriptDisplayObject): ReactNode {
  return <RenderedObject object={object} onNotice={showNotice} />;
}

/** A reader may say what they think of an answer and of its summary. */
function renderFooter(message: TranscriptMessage): ReactNode {
  const answers = message.role === 'assistant' || message.role === 'summary';
  return answers ? <AnswerFeedback message={message} /> : null;
}

/** The ids of the messages of the turn that runs, with commas between them: more of their answer may come. */
function runningIds(all: readonly ChatMessage[], turn: DeepReadonly<TurnState>): string {
  if (turn.phase === 'idle' || turn.phase === 'ended') return '';
  const asked = all.findLastIndex((message) => message.role === 'user');
  return all
    .slice(asked + 1)
    .map((message) => message.id)
    .join();
}

function working(turn: DeepReadonly<TurnState>, last: ChatMessage | undefined): string | null {
  if (turn.phase === 'stopping') return 'Stopping…';
  if (turn.phase !== 'running' && turn.phase !== 'sending') return null;
  if (turn.phase === 'running' && turn.progress !== null) return turn.progress;
  // Text that grows speaks for itself.
  return last?.status === 'streaming' && last.text !== '' ? null : 'Parley is working…';
}

/** The messages of the open conversation through one filter. */
export function TranscriptPanel(props: TranscriptPanelProps) {
  const { conversation, turn, earlier, passes, highlightId, empty, onRetry, onAsk } = props;
  const all = useSyncExternalStore(sessionLog.subscribe, sessionLog.snapshot);
  const messages = useMemo(() => all.filter(passes), [all, passes]);
  const linkedId = highlightId?.replace(/^message-/u, '');
  const before = useEarlier({
    conversationId: conversation.id,
    earlier,
    held: all,
    shown: messages,
    linkedId,
  });
  const now = useNow();
  const navigate = useNavigate();
  const [link, setLink] = useState<ForeignLink | null>(null);
  const [rewinding, setRewinding] = useState<TranscriptMessage | null>(null);
  const goTo = useCallback((path: string) => void navigate(path), [navigate]);
  const unfinished = runningIds(all, turn);
  // The same from token to token, or each would draw all messages again.
  const footerOf = useMemo(() => {
    const ids = new Set(unfinished.split(','));
    // An opinion is asked for once there is the whole of what it is about.
    return (message: TranscriptMessage) => (ids.has(message.id) ? null : renderFooter(message));
  }, [unfinished]);
  const idle = turn.phase === 'idle' || turn.phase === 'ended';
  const canAsk = idle && conversation.abilities.send && conversation.status === 'active';

  return (
    <div className={styles.transcript}>
      <Transcript
        conversationId={conversation.id}
        messages={messages}
        now={now}
        renderDisplayObject={renderDisplayObject}
        renderFooter={footerOf}
        highlightId={highlightId}
        earlier={before.has ? before.status : 'none'}
        onReachFirst={before.onReached}
        onRetryEarlier={before.onRetry}
        working={working(turn, messages.at(-1))}
        canRewind={conversation.abilities.rewind && conversation.status === 'active'}
        onRewind={setRewinding}
        canRetry={canAsk}
        onRetry={onRetry}
        onAsk={canAsk ? onAsk : undefined}
        onForeignLink={setLink}
        onNavigate={goTo}
        onNotice={showNotice}
        empty={empty}
      />
      <ForeignLinkDialog link={link} onClose={() => setLink(null)} />
      <ConfirmDialog
        open={rewinding !== null}
        onOpenChange={() => setRewinding(null)}
        title="Rewind conversation"
        confirmLabel="Rewind"
        destructive
        onConfirm={() => (rewinding ? rewind(conversation.id, rewinding.id) : Promise.resolve(false))}
      >
        This message and everything after it leave the conversation. Its text goes back into the message box.
      </ConfirmDialog>
    </div>
  );
}
