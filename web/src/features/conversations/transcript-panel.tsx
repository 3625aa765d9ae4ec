import { lazy, Suspense, useCallback, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { ConfirmDialog } from '@/components/confirm-dialog/confirm-dialog';
import { copyToClipboard } from '@/lib/clipboard';
import type { Notice } from '@/components/code-block/notice';
import { ForeignLinkDialog } from '@/components/markdown/foreign-link-dialog';
import type { ForeignLink } from '@/components/markdown/links';
import type { Assumption, TranscriptDisplayObject, TranscriptMessage } from '@/components/transcript/message';
import { Transcript } from '@/components/transcript/transcript';
import type { FigureView } from '@/components/transcript/turn-actions';
import type { ChatMessage } from '@/lib/chat-message';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { paths } from '@/lib/paths';
import { useNow } from '@/lib/use-now';
import type { Conversation } from '@/lib/wire';
import { conversation as t } from '@/messages/conversation';
import { sessionLog, type EarlierState, type TurnState } from '@/stores/conversation-session';
import { meState } from '@/stores/me-store';
import { AnswerFeedback } from './answer-feedback';
import { rewind } from './conversation-actions';
import { RenderedFigure } from './rendered-figure';
import { RenderedObject } from './rendered-object';
import { useEarlier } from './use-earlier';
import styles from './conversations.module.css';

interface TranscriptPanelProps {
  conversation: DeepReadonly<Conversation>;
  turn: DeepReadonly<TurnState>;
  earlier: DeepReadonly<EarlierState>;
  /** Which messages are shown. Keep it stable. */
  passes: (message: Pick<ChatMessage, 'role'>) => boolean;
  highlightId: string | null;
  empty: ReactNode;
  /** Asks the question of a cut-off answer again. */
  onRetry: (message: TranscriptMessage) => void;
  /** Goes to a message that this filter leaves out. */
  onGoTo: (message: TranscriptMessage) => void;
  /** Asks a question that the last answer offers. */
  onAsk: (question: string) => void;
}

function showNotice(notice: Notice): void {
  if (notice.tone === 'success') notify.success(notice.text);
  else notify.error(notice.text);
}

function renderDisplayObject(object: TranscriptDisplayObject): ReactNode {
  return <RenderedObject object={object} onNotice={showNotice} />;
}

function renderFigure(view: FigureView): ReactNode {
  return <RenderedFigure view={view} />;
}

/** A reader can give feedback on an answer and on its summary. */
function renderFooter(message: TranscriptMessage): ReactNode {
  return <AnswerFeedback message={message} />;
}

// Few answers assume anything, so this part is loaded with the first one that does.
const Assumed = lazy(async () => ({ default: (await import('./assumed')).Assumed }));

function renderAssumed(assumptions: readonly Assumption[], onAgain: (() => void) | undefined): ReactNode {
  return (
    <Suspense fallback={null}>
      <Assumed assumptions={assumptions} onAgain={onAgain} />
    </Suspense>
  );
}

/** The progress text of the turn. */
function progressOf(turn: DeepReadonly<TurnState>): string | null {
  if (turn.phase === 'stopping') return t('stopping');
  return turn.phase === 'running' ? turn.progress : null;
}

/**
 * The number of questions that a rewind to one of them removes. Messages of the workings are not counted, because a
 * person could not check their number.
 */
function questionsFrom(first: TranscriptMessage): number {
  const all = sessionLog.snapshot();
  const at = all.findIndex(({ id }) => id === first.id);
  return all.filter(({ role }, index) => role === 'user' && index >= at).length;
}

/** The message box, in which the question of a rewind is again. It gets no focus where that would open a keyboard. */
function messageBox(): HTMLElement | null {
  return window.matchMedia('(pointer: fine)').matches ? document.querySelector('[data-question]') : null;
}

/** The messages of the open conversation through one filter. */
export function TranscriptPanel(props: TranscriptPanelProps) {
  const { conversation, turn, earlier, passes, highlightId, empty, onRetry, onGoTo, onAsk } = props;
  const { id, abilities, status } = conversation;
  const all = useSyncExternalStore(sessionLog.subscribe, sessionLog.snapshot);
  const shown = useMemo(() => all.filter(passes), [all, passes]);
  const linkedId = highlightId?.replace(/^message-/u, '');
  const before = useEarlier({ conversationId: id, earlier, held: all, shown, linkedId });
  const now = useNow();
  const navigate = useNavigate();
  const { user } = useSnapshot(meState);
  const [link, setLink] = useState<ForeignLink | null>(null);
  // The message is kept while the dialog closes, so that its text does not change while it is still visible.
  const [rewinding, setRewinding] = useState<{ id: string; count: number } | null>(null);
  const [confirming, setConfirming] = useState(false);
  const onRewind = useCallback((message: TranscriptMessage) => {
    setRewinding({ id: message.id, count: questionsFrom(message) });
    setConfirming(true);
  }, []);
  const goTo = useCallback((path: string) => void navigate(path), [navigate]);
  const share = useCallback(
    async (message: TranscriptMessage) => {
      const address = window.location.origin + paths.conversation(id, message.id);
      if (await copyToClipboard(address)) notify.success(t('link.copied'));
      else notify.error(t('link.failed'));
    },
    [id],
  );
  const onShare = useCallback((message: TranscriptMessage) => void share(message), [share]);
  const idle = turn.phase === 'idle' || turn.phase === 'ended';
  const canAsk = idle && abilities.send && status === 'active';

  return (
    <div className={styles.transcript}>
      <Transcript
        conversationId={id}
        messages={all}
        passes={passes}
        now={now}
        readerId={user?.uuid}
        renderDisplayObject={renderDisplayObject}
        renderFigure={renderFigure}
        renderFooter={renderFooter}
        renderAssumed={renderAssumed}
        highlightId={highlightId}
        earlier={before.has ? before.status : 'none'}
        onReachFirst={before.onReached}
        onRetryEarlier={before.onRetry}
        isRunning={!idle}
        progress={progressOf(turn)}
        canRewind={abilities.rewind && status === 'active'}
        onRewind={onRewind}
        canRetry={canAsk}
        onRetry={onRetry}
        onShare={onShare}
        onGoTo={onGoTo}
        onAsk={canAsk ? onAsk : undefined}
        onForeignLink={setLink}
        onNavigate={goTo}
        onNotice={showNotice}
        empty={empty}
      />
      <ForeignLinkDialog link={link} onClose={() => setLink(null)} />
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        title={t('rewind.title')}
        confirmLabel={t('rewind.confirm')}
        destructive
        focusAfter={messageBox}
        onConfirm={() => (rewinding ? rewind(id, rewinding.id) : Promise.resolve(false))}
      >
        {t('rewind.text', { count: rewinding?.count ?? 1 })}
      </ConfirmDialog>
    </div>
  );
}
