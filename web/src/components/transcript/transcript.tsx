import { ArrowDown } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';

import { announcement } from './announcement';
import { newAnchor, nextAnchor } from './first-index';
import type { TranscriptMessage } from './message';
import { type MessageCallbacks, MessageCard } from './message-card';
import { TranscriptEmpty } from './transcript-empty';
import { type EarlierMessages, type TranscriptContext, transcriptParts } from './transcript-parts';
import styles from './transcript.module.css';
import { useFollow } from './use-follow';
import { useLanding } from './use-landing';

// A message that a link leads to stands this far below the edge, so that its beginning is seen however long it is.
const roomAbove = 48;

/** Props of {@link Transcript}. */
export interface TranscriptProps extends MessageCallbacks {
  /** A change starts again at the end of the new conversation. */
  conversationId: string;
  /** Oldest first. Keep the identity of messages that did not change. */
  messages: readonly TranscriptMessage[];
  /** In ms; drives the relative times. */
  now: number;
  /** Scrolls to this message and lights it up; may be prefixed `message-`. Unknown ids are ignored. */
  highlightId?: string | null | undefined;
  /** What stands before the oldest message shown; default `none`. */
  earlier?: EarlierMessages | undefined;
  /** The reader has come to the oldest message shown, and there are earlier ones. */
  onReachFirst?: (() => void) | undefined;
  /** The reader wants another try after `failed`. */
  onRetryEarlier?: (() => void) | undefined;
  /** Shown below the last message while a turn runs that has not spoken yet. */
  working?: string | null | undefined;
  /** Shown instead of the list when there are no messages. */
  empty?: ReactNode;
  /** Accessible name; default "Conversation". */
  label?: string | undefined;
}

/** A conversation, however long. Stays at the end while the reader is there, and holds still when not. */
export function Transcript(props: TranscriptProps) {
  const { messages, working, earlier } = props;
  if (messages.length === 0 && (working ?? null) === null && (earlier ?? 'none') === 'none')
    return <>{props.empty ?? <TranscriptEmpty />}</>;
  // The key makes each conversation a list of its own: positions of one never leak into another.
  return <MessageList key={props.conversationId} {...props} />;
}

function MessageList(props: TranscriptProps) {
  const { messages, now, highlightId, earlier = 'none', onReachFirst, onRetryEarlier, working } = props;
  const list = useRef<VirtuosoHandle>(null);
  const target = targetIndex(messages, highlightId);
  const [opening] = useState(target);
  const follow = useFollow(opening === -1);
  const firstIndex = useFirstIndex(messages);
  const callbacks = useCallbacks(props);
  const { toEnd, letGo, isMovingUp, setScroller: setFollowScroller } = follow;
  const itemSize = useCallback((element: HTMLElement) => measure(element, isMovingUp()), [isMovingUp]);

  const goNear = (): void =>
    list.current?.scrollToIndex({ index: target, align: 'start', offset: -roomAbove });
  const messageId = messages[target]?.id ?? null;
  const landing = useLanding({ messageId, roomAbove, goNear, onMove: letGo });
  const { leave, setScroller: setLandingScroller } = landing;
  const setScroller = useCallback(
    (element: HTMLElement | Window | null) => {
      setFollowScroller(element);
      setLandingScroller(element instanceof HTMLElement ? element : null);
    },
    [setFollowScroller, setLandingScroller],
  );
  const goToEnd = useCallback(() => {
    leave();
    toEnd();
  }, [leave, toEnd]);

  const ownLast = messages.at(-1)?.role === 'user' ? messages.at(-1)?.id : undefined;
  const sentBefore = useRef(ownLast);
  useEffect(() => {
    // Whoever sends a message wants to see it, wherever they were reading.
    if (ownLast !== undefined && ownLast !== sentBefore.current) goToEnd();
    sentBefore.current = ownLast;
  }, [ownLast, goToEnd]);

  const context: TranscriptContext = {
    label: props.label ?? 'Conversation',
    earlier,
    onRetryEarlier,
    working: working ?? null,
  };
  const last = messages.at(-1);
  // Earlier offers are part of what was said; only the last answer's are still on the table.
  const answer = messages.findLast((message) => message.role === 'assistant' || message.role === 'user');

  return (
    <div className={styles.transcript}>
      <Virtuoso<TranscriptMessage, TranscriptContext>
        ref={list}
        className={styles.list}
        data={messages}
        context={context}
        components={transcriptParts}
        firstItemIndex={firstIndex}
        initialTopMostItemIndex={
          opening === -1
            ? { index: 'LAST', align: 'end' }
            : { index: opening, align: 'start', offset: -roomAbove }
        }
        computeItemKey={(_, message) => message.id}
        scrollerRef={setScroller}
        itemSize={itemSize}
        increaseViewportBy={{ top: 600, bottom: 300 }}
        startReached={() => {
          if (earlier !== 'none') onReachFirst?.();
        }}
        itemContent={(_, message) => (
          <div className={styles.item} data-growing={message.status === 'streaming' || undefined}>
            <MessageCard
              {...callbacks}
              message={message}
              onAsk={message.id === answer?.id ? props.onAsk : undefined}
              now={now}
              highlighted={target !== -1 && messages[target]?.id === message.id}
            />
          </div>
        )}
      />
      {!follow.atEnd && (
        <button type="button" className={styles.jump} onClick={goToEnd}>
          <ArrowDown size={13} aria-hidden />
          {last?.status === 'streaming' ? 'Jump to latest, still answering' : 'Jump to latest'}
        </button>
      )}
      {/* One sentence when an answer starts and one when it ends. The list itself is silent, or every token would speak. */}
      <div className={styles.announcer} role="status">
        {announcement(last)}
      </div>
    </div>
  );
}

function targetIndex(messages: readonly TranscriptMessage[], highlightId: string | null | undefined): number {
  if (highlightId === null || highlightId === undefined) return -1;
  const id = highlightId.replace(/^message-/u, '');
  return messages.findIndex((message) => message.id === id);
}

/**
 * The height of an item. While moving up, the list takes all growth for growth above the reader and moves down by as
 * much, so an answer that grows below would pull the reader along for ever. Until the movement is over, the list is
 * told that the answer did not grow.
 */
function measure(element: HTMLElement, movingUp: boolean): number {
  const known = Number(element.dataset['knownSize']);
  const grows = element.firstElementChild?.hasAttribute('data-growing') === true;
  return grows && movingUp && known > 0 ? known : Math.round(element.getBoundingClientRect().height);
}

function useFirstIndex(messages: readonly TranscriptMessage[]): number {
  const [anchor, setAnchor] = useState(() => newAnchor(messages.map((message) => message.id)));
  if ((messages[0]?.id ?? null) === anchor.firstId) return anchor.firstIndex;
  // Set while rendering, so that the list never sees new messages with the old numbering.
  const next = nextAnchor(
    anchor,
    messages.map((message) => message.id),
  );
  setAnchor(next);
  return next.firstIndex;
}

function useCallbacks(props: TranscriptProps): MessageCallbacks {
  const { renderDisplayObject, renderFooter, canRewind, onRewind, canRetry, onRetry } = props;
  const { onForeignLink, onNavigate, onNotice } = props;
  return useMemo(
    () => ({
      renderDisplayObject,
      renderFooter,
      canRewind,
      onRewind,
      canRetry,
      onRetry,
      onForeignLink,
      onNavigate,
      onNotice,
    }),
    [
      renderDisplayObject,
      renderFooter,
      canRewind,
      onRewind,
      canRetry,
      onRetry,
      onForeignLink,
      onNavigate,
      onNotice,
    ],
  );
}
