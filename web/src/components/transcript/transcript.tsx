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

// What a link leads to stands this far below the edge, so that its beginning is seen however long it is.
const roomAbove = 48;

interface TranscriptProps extends TurnActions {
  /** A change starts again at the end of the new conversation. */
  conversationId: string;
  /** All of them, oldest first. Keep the identity of messages that did not change. */
  messages: readonly TranscriptMessage[];
  /** Which of them are shown; all by default. Keep it stable. */
  passes?: ((message: TranscriptMessage) => boolean) | undefined;
  /** In ms; drives the relative times. */
  now: number;
  /** The uuid of who reads: their own questions bear no name. */
  readerId?: string | null | undefined;
  /** Scrolls to this message and lights it up; may be prefixed `message-`. Unknown ids are ignored. */
  highlightId?: string | null | undefined;
  /** What stands before the oldest message that is held; default `none`. */
  earlier?: EarlierMessages | undefined;
  /** The reader has come to the oldest turn shown, and there are earlier ones. */
  onReachFirst?: (() => void) | undefined;
  /** The reader wants another try after `failed`. */
  onRetryEarlier?: (() => void) | undefined;
  /** The last turn is being answered. */
  isRunning?: boolean | undefined;
  /** What the running turn says of itself. */
  progress?: string | null | undefined;
  /** Asks a question that the last answer offers. */
  onAsk?: ((question: string) => void) | undefined;
  /** Shown instead of the list when there are no messages. */
  empty?: ReactNode;
  /** Accessible name; default "Conversation". */
  label?: string | undefined;
}

function everything(): boolean {
  return true;
}

/** A conversation, however long. Stays at the end while the reader is there, and holds still when not. */
export function Transcript(props: TranscriptProps) {
  const { messages, isRunning = false, earlier = 'none' } = props;
  if (messages.length === 0 && !isRunning && earlier === 'none')
    return <>{props.empty ?? <TranscriptEmpty />}</>;
  // The key makes each conversation a list of its own: positions of one never leak into another.
  return <TurnList key={props.conversationId} {...props} />;
}

function TurnList(props: TranscriptProps) {
  const { messages, passes = everything, now, earlier = 'none', onReachFirst, onRetryEarlier, onAsk } = props;
  const { isRunning = false, progress = null } = props;
  const list = useRef<VirtuosoHandle>(null);
  const turns = useTurns(messages, earlier);
  const last = turns.at(-1);
  const isUnderWay = isRunning || last?.replies.at(-1)?.status === 'streaming';
  // The turn with which the list opened, if it had ended: all that come later are as tall as the list (data-later).
  const [openedWith] = useState(isUnderWay ? undefined : last?.key);
  const highlightId = props.highlightId?.replace(/^message-/u, '') ?? null;
  const target = highlightId === null ? -1 : turnIndexOf(turns, highlightId);
  const [opening] = useState(target);
  // What a reader opened or folded stays so while it is out of sight, where it is not drawn.
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
  // Written past React: all of the list would be drawn again for an attribute of its frame.
  const onArranging = useCallback((isHidden: boolean): void => {
    frame.current?.toggleAttribute('data-arranging', isHidden);
  }, []);
  const label = props.label ?? t('label');
  const context = useMemo<TranscriptContext>(
    () => ({ label, earlier, onRetryEarlier, isRunning, onArranging }),
    [label, earlier, onRetryEarlier, isRunning, onArranging],
  );

  return (
    <div ref={frame} className={styles.transcript}>
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
              // Earlier offers are part of what was said; only the last answer's are still on the table.
              onAsk={turn === last ? onAsk : undefined}
            />
          </div>
        )}
      />
      {!follow.isThere && (
        <button type="button" className={styles.jump} onClick={goToEnd}>
          <ArrowDown size={13} aria-hidden />
          {isUnderWay ? t('jump.answering') : t('jump')}
        </button>
      )}
      {/* One sentence when an answer starts and one when it ends. The list itself is silent, or every token would speak. */}
      <div className={styles.announcer} role="status">
        {announcement(last, isRunning)}
      </div>
    </div>
  );
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
