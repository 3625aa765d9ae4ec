import type { ReactNode } from 'react';

import type { NoticeHandler } from '@/components/code-block/notice';
import type { ForeignLink } from '@/components/markdown/links';

import type { Figure, TranscriptDisplayObject, TranscriptMessage } from './message';

/** A figure in a text, and what it is drawn with. */
export interface FigureView {
  figure: Figure;
  /** The number as it stands in the text. */
  text: string;
  message: TranscriptMessage;
  /** The table; `undefined` where it is not among the turn's. */
  object: TranscriptDisplayObject | undefined;
  /** Opens the workings at the query that the number comes from. */
  onShowQuery: () => void;
}

/** What a turn tells its surroundings, and asks of them. Keep them stable, or every turn is drawn with each token. */
export interface TurnActions {
  renderDisplayObject?:
    ((object: TranscriptDisplayObject, message: TranscriptMessage) => ReactNode) | undefined;
  /** Draws a number that is a cell. Without it, numbers are text. */
  renderFigure?: ((view: FigureView) => ReactNode) | undefined;
  /** What readers think of it, below an answer. */
  renderFooter?: ((message: TranscriptMessage) => ReactNode) | undefined;
  canRewind?: boolean | undefined;
  /** Cuts the conversation from a user's message on. */
  onRewind?: ((message: TranscriptMessage) => void) | undefined;
  canRetry?: boolean | undefined;
  /** Asks again after an interrupted or failed answer. */
  onRetry?: ((message: TranscriptMessage) => void) | undefined;
  /** Copies an address that leads to the message. */
  onShare?: ((message: TranscriptMessage) => void) | undefined;
  /** Goes to a message that the view does not show, such as the query of a summary's number. */
  onGoTo?: ((message: TranscriptMessage) => void) | undefined;
  onForeignLink?: ((link: ForeignLink) => void) | undefined;
  onNavigate?: ((path: string) => void) | undefined;
  onNotice?: NoticeHandler | undefined;
}
