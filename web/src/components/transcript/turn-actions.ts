import type { ReactNode } from 'react';
import type { NoticeHandler } from '@/components/code-block/notice';
import type { ForeignLink } from '@/components/markdown/links';
import type { Assumption, Figure, TranscriptDisplayObject, TranscriptMessage } from './message';

/** A figure in a text, with the data to render it. */
export interface FigureView {
  figure: Figure;
  /** The number as it is written in the text. */
  text: string;
  message: TranscriptMessage;
  /** The table; `undefined` if it is not one of the turn's. */
  object: TranscriptDisplayObject | undefined;
  /** Opens the workings at the query that the number comes from. */
  onShowQuery: () => void;
}

/** The callbacks of a turn. They must be stable, or every turn is rendered again with each token. */
export interface TurnActions {
  renderDisplayObject?:
    ((object: TranscriptDisplayObject, message: TranscriptMessage) => ReactNode) | undefined;
  /** Renders a number that is a cell. Without it, numbers are text. */
  renderFigure?: ((view: FigureView) => ReactNode) | undefined;
  /** The feedback of readers, below an answer. */
  renderFooter?: ((message: TranscriptMessage) => ReactNode) | undefined;
  /** What an answer took of the data; `onAgain` asks its question again. */
  renderAssumed?:
    ((assumptions: readonly Assumption[], onAgain: (() => void) | undefined) => ReactNode) | undefined;
  canRewind?: boolean | undefined;
  /** Removes a user's message and everything after it. */
  onRewind?: ((message: TranscriptMessage) => void) | undefined;
  canRetry?: boolean | undefined;
  /** Asks again after an interrupted or failed answer. */
  onRetry?: ((message: TranscriptMessage) => void) | undefined;
  /** Copies a link to the message. */
  onShare?: ((message: TranscriptMessage) => void) | undefined;
  /** Goes to a message that the view does not show, such as the query of a summary's number. */
  onGoTo?: ((message: TranscriptMessage) => void) | undefined;
  onForeignLink?: ((link: ForeignLink) => void) | undefined;
  onNavigate?: ((path: string) => void) | undefined;
  onNotice?: NoticeHandler | undefined;
}
