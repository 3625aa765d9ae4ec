import { ArrowDown } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso';
import { transcript as t } from '@/messages/transcript';
import { announcement } from './announcement';
import type { TranscriptMessage } from './message';
import { TranscriptEmpty } from './transcript-empty';
import { type EarlierMessages, type TranscriptContext, transcriptParts } from './transcript-parts';
import styles from './transcript.module.css';
import type { TurnActions } from './turn-actions';
import { type Turn, turnIndexOf } from './turns';
import { TurnView } from './turn-view';
import { useFollow } from './use-follow';
import { useLanding } from './use-landing';
import { useMargin } from './use-margin';
import { useTurnActions } from './use-turn-actions';
import { useFirstIndex, useTurns } from './use-turns';

// The target of a link is placed this far below the edge, so that its beginning is visible however long it is.
const roomAbove = 48;

interface TranscriptProps extends TurnActions {
  /** If it changes, the view starts again at the end of the new conversation. */
  conversationId: string;
  /** All of them, oldest first. Messages that did not change must be the same objects. */
  messages: readonly TranscriptMessage[];
  /** Which of them are shown; all by default. Keep it stable. */
  passes?: ((message: TranscriptMessage) => boolean) | undefined;
  /** In ms; drives the relative times. */
  now: number;
  /** The uuid of the reader: their own questions are shown without a name. */
  readerId?: string | null | undefined;
  /** Scrolls to this message and lights it up; may be prefixed `message-`. Unknown ids are ignored. */
  highlightId?: string | null | undefined;
  /** Whether there are messages before the oldest loaded one; default `none`. */
  earlier?: EarlierMessages | undefined;
  /** Called when the reader reaches the oldest turn shown, and there are earlier ones. */
  onReachFirst?: (() => void) | undefined;
  /** Called when the reader retries after `failed`. */
  onRetryEarlier?: (() => void) | undefined;
  /** The last turn is being answered. */
  isRunning?: boolean | undefined;
  /** The progress text of the running turn. */
  progress?: string | null | undefined;
  /** Asks a question that the last answer suggests. */
  onAsk?: ((question: string) => void) | undefined;
  /** Shown instead of the list when there are no messages. */
  empty?: ReactNode;
  /** Accessible name; default "Conversation". */
  label?: string | undefined;
}

function everything(): boolean {
  return true;
}

/** A conversation, however long. It stays at the end while the reader is there, and does not move otherwise. */
export function Transcript(props: TranscriptProps) {
  const { messages, isRunning = false, earlier = 'none' } = props;
  if (messages.length === 0 && !isRunning && earlier === 'none')
    return <>{props.empty ?? <TranscriptEmpty />}</>;
  // The key creates a separate list for each conversation: positions of one cannot leak into another.
  return <TurnList key={props.conversationId} {...props} />;
}

function TurnList(props: TranscriptProps) {
  const { messages, passes = everything, now, earlier = 'none', onReachFirst, onRetryEarlier, onAsk } = props;
  const { isRunning = false, progress = null } = props;
  const list = useRef<VirtuosoHandle>(null);
  const turns = useTurns(messages, earlier);
  const last = turns.at(-1);
  const isUnderWay = isRunning || last?.replies.at(-1)?.status === 'streaming';
  // The last turn when the list opened, if it had ended: all later turns are as tall as the list (data-later).
  const [openedWith] = useState(isUnderWay ? undefined : last?.key);
  const highlightId = props.highlightId?.replace(/^message-/u, '') ?? null;
  const target = highlightId === null ? -1 : turnIndexOf(turns, highlightId);
  const [opening] = useState(target);
  // Keeps what a reader opened or folded, also for turns that are out of sight and not rendered.
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const follow = useFollow(opening === -1, last?.key);
  const margin = useMargin();
  const firstIndex = useFirstIndex(turns);
  const actions = useTurnActions(props);
  const { toEnd, toLastTurn, letGo, isMovingUp, setScroller: setFollowScroller } = follow;
  const itemSize = useCallback((element: HTMLElement) => measure(element, isMovingUp()), [isMovingUp]);
  const onOpened = useCallback(
    (key: string, to: boolean) => {
      // People who open something want to read it from its beginning, and not to be taken to the end.
      if (to) letGo();
      setOpened((before) => new Map(before).set(key, to));
    },
    [letGo],
  );

  const goNear = (): void =>
    list.current?.scrollToIndex({ index: target, align: 'start', offset: -roomAbove });
  const landing = useLanding({
    messageId: target === -1 ? null : highlightId,
    roomAbove,
    goNear,
    onMove: letGo,
  });
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
    // People who send a message want to see it, wherever they were reading.
    if (ownLast !== undefined && ownLast !== sentBefore.current) {
      leave();
      toLastTurn();
    }
    sentBefore.current = ownLast;
  }, [ownLast, leave, toLastTurn]);

  const frame = useRef<HTMLDivElement>(null);
  const isArranging = useRef(false);
  // Set without React: otherwise the whole list would be rendered again for an attribute of its frame.
  const onArranging = useCallback((isHidden: boolean): void => {
    isArranging.current = isHidden;
    frame.current?.toggleAttribute('data-arranging', isHidden);
  }, []);
  // The list reports its first state before the frame around it is known here.
  const setFrame = useCallback((element: HTMLDivElement | null): void => {
    frame.current = element;
    element?.toggleAttribute('data-arranging', isArranging.current);
  }, []);
  const label = props.label ?? t('label');
  const context = useMemo<TranscriptContext>(
    () => ({ label, earlier, onRetryEarlier, isRunning, onArranging }),
    [label, earlier, onRetryEarlier, isRunning, onArranging],
  );

  return (
    <div ref={setFrame} className={styles.transcript}>
      <Virtuoso<Turn, TranscriptContext>
        ref={list}
        className={styles.list}
        data={turns}
        context={context}
        components={transcriptParts}
        firstItemIndex={firstIndex}
        initialTopMostItemIndex={
          opening === -1
            ? { index: 'LAST', align: 'start' }
            : { index: opening, align: 'start', offset: -roomAbove }
        }
        computeItemKey={(_, turn) => turn.key}
        scrollerRef={setScroller}
        itemSize={itemSize}
        increaseViewportBy={margin.px}
        scrollSeekConfiguration={margin.fling}
        startReached={() => {
          if (earlier !== 'none') onReachFirst?.();
        }}
        itemContent={(_, turn) => (
          <div
            className={styles.item}
            data-growing={(turn === last && isUnderWay) || undefined}
            data-later={(turn === last && turn.key !== openedWith) || undefined}
          >
            <TurnView
              {...actions}
              turn={turn}
              passes={passes}
              isRunning={isRunning && turn === last}
              progress={turn === last ? progress : null}
              now={now}
              readerId={props.readerId ?? null}
              highlightedId={turns[target] === turn ? highlightId : null}
              opened={opened.get(turn.key)}
              onOpened={onOpened}
              // Suggested questions of earlier answers are plain text; only those of the last answer can be
              // pressed.
              onAsk={turn === last ? onAsk : undefined}
            />
          </div>
        )}
      />
      {!follow.isThere && (
        <button type="button" className={styles.jump} data-answering={isUnderWay} onClick={goToEnd}>
          <ArrowDown size={13} aria-hidden />
          <span>{isUnderWay ? t('jump.answering') : t('jump')}</span>
        </button>
      )}
      {/* One sentence when an answer starts and one when it ends. The list itself is not a live region, or every
          token would be read out. */}
      <div className={styles.announcer} role="status">
        {announcement(last, isRunning)}
      </div>
    </div>
  );
}

/**
 * The height of an item. While it moves up, the list treats all growth as growth above the reader and scrolls down
 * by the same amount, so an answer that grows below would drag the reader along endlessly. Until the movement is
 * over, the old height is reported to the list.
 */
function measure(element: HTMLElement, movingUp: boolean): number {
  const known = Number(element.dataset['knownSize']);
  const grows = element.firstElementChild?.hasAttribute('data-growing') === true;
  return grows && movingUp && known > 0 ? known : Math.round(element.getBoundingClientRect().height);
}
